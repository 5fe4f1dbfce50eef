"""What the sections of the report show: a module each, whose `blocks` takes the campaign."""
