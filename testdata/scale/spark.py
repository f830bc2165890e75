"""Verifies one log with Apache Spark: a task for each range, each running the cupel binary.

    spark.py CUPEL LOG SIZE FOLDER

The plan is that of `cupel trace verify --ranges SIZE LOG`, the summaries are written below FOLDER,
and `cupel report merge` joins them on the driver. This is done three times: with nothing wrong;
with two tasks that fail once, which Spark tries again; and with one that fails whenever it is
tried. The first two must give the bytes and the exit code of a run over the whole log, the last
one exit code 2. On a cluster, LOG, FOLDER and CUPEL lead to the same files on every machine.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

from py4j.protocol import Py4JJavaError
from pyspark import SparkConf, SparkContext, TaskContext

cupel, log, size, folder = sys.argv[1:]
DEADLINE = 600  # seconds, for the one wait


def command(part, summaries):
    bounds = f"{part['start']}:{part['end']}"
    out = f"{summaries}/{part['start']}.cupelsum"
    return [cupel, "trace", "verify", "--jobs", "1", "--range", bounds, "--summary", out, log]


def summarize(part, summaries):
    subprocess.run(command(part, summaries), check=True)


def kill_midway(part, summaries):
    """Kills cupel when it has read a quarter of its range (Linux tells), and fails."""
    quarter, deadline = (part["end"] - part["start"]) // 4, time.monotonic() + DEADLINE
    process, done = subprocess.Popen(command(part, summaries)), 0
    while done < quarter and process.poll() is None and time.monotonic() < deadline:
        done = int(pathlib.Path(f"/proc/{process.pid}/io").read_text().split()[1])
    process.kill()
    pathlib.Path(summaries, f"{part['start']}.died").write_text(f"{process.wait()} {done}")
    raise RuntimeError("cupel was killed")


def verify(spark, ranges, name, fails=lambda index, attempt: None):
    """Returns the answer of the merge, and the folder of the summaries."""
    summaries = pathlib.Path(folder, name)
    summaries.mkdir()

    def task(numbered):
        index, part = numbered
        fault = fails(index, TaskContext.get().attemptNumber())
        if fault == "midway":
            kill_midway(part, summaries)
        summarize(part, summaries)
        if fault == "afterwards":
            (summaries / f"{part['start']}.twice").touch()
            raise RuntimeError("the task failed after its summary was written")

    try:
        spark.parallelize(list(enumerate(ranges)), len(ranges)).map(task).collect()
    except Py4JJavaError:
        print(f"{name}: Spark gave the job up")
    return answer("report", "merge", "--format", "json", summaries), summaries


def answer(*words):
    """Runs cupel and returns its exit code, its report and what it said of errors."""
    run = subprocess.run([cupel, *words], capture_output=True)
    return run.returncode, run.stdout, run.stderr.decode()


def must(holds, what):
    if not holds:
        sys.exit(f"spark.py: expected {what}")
    print(f"ok: {what}")


plan = subprocess.check_output([cupel, "trace", "verify", "--ranges", size, log])
ranges = json.loads(plan)["ranges"]
must(len(ranges) > 2, f"three ranges or more: {len(ranges)} of {os.path.getsize(log)} bytes")
whole = answer("trace", "verify", "--format", "json", log)
must(whole[0] < 2, f"a verdict on the whole log: exit code {whole[0]}, {len(whole[1])} bytes of report")

# Two tasks at once, each tried three times.
options = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
spark = SparkContext(conf=SparkConf().setMaster("local[2,3]").setAppName("cupel").setAll(options.items()))
spark.setLogLevel("OFF")
print(f"Spark {spark.version}, {spark.master}")

got, _ = verify(spark, ranges, "plain")
must(got == whole, "plain: the report of the whole log, byte for byte, and its exit code")

faults = {(1, 0): "midway", (2, 0): "afterwards"}
got, summaries = verify(spark, ranges, "once", lambda *task: faults.get(task))
code, done = (summaries / f"{ranges[1]['start']}.died").read_text().split()
must(code == "-9", f"once: cupel was killed after {done} bytes of {ranges[1]['end'] - ranges[1]['start']}")
must((summaries / f"{ranges[2]['start']}.twice").exists(), "once: a task failed after it wrote its summary")
must(got == whole, "once: Spark tried both again, and the answer is the same")

got, summaries = verify(spark, ranges, "always", lambda index, _: "midway" if index == 1 else None)
must(got[0] == 2 and "no summary covers" in got[2], "always: no verdict, exit code 2, and the range is named:")
print(got[2], end="")
spark.stop()
