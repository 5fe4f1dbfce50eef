"""What holds for the counts of every task; the counts themselves are in nonresponse/tasks."""

# What a policy excludes leaves every count but these, which tell how much that was.
OF_ALL = ("n_partial", "n_unscored", "n_error", "n_missing")

# The policies of a campaign, with their defaults.
POLICIES = {"unscored": "wrong", "error": "wrong", "partial": "wrong"}
