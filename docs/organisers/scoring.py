"""A scoring program for Codabench: scoring.py /app/input /app/output. Change the task to yours."""

import subprocess
import sys

# Or ("--campaign", "my-task") beside a config.yaml in the folder of the program
TASK = ("--task", "pan26")

given, output = sys.argv[1:]
command = ["score", f"{given}/res", f"{given}/ref", "--into", output, *TASK]
sys.exit(subprocess.call([sys.executable, "-m", "nonresponse", *command]))
