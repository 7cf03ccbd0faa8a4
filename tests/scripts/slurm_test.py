"""The sbatch files of docs/examples/slurm, run as Slurm runs them, with stand-ins for the programs that they call."""
import os
import re
import signal
import subprocess
import time
import unittest

from source_tree import ROOT, FolderTest

FOLDER = ROOT / "docs/examples/slurm"
RECORDS = '#!/bin/sh\necho "$(basename "$0") $*" >> "$RECORD"\n'


class SlurmFiles(unittest.TestCase):
    def test_page_names_every_file(self):
        page = (ROOT / "docs/clusters.md").read_text()
        self.assertEqual(set(re.findall(r"\((examples/slurm/\S+?)\)", page)),
                         {f"examples/slurm/{path.name}" for path in FOLDER.glob("*.sbatch")})

    def test_the_shell_reads_every_file(self):
        for path in FOLDER.glob("*.sbatch"):
            self.assertEqual(subprocess.run(["bash", "-n", path], capture_output=True, text=True).stderr, "", path)

    def test_jobs_that_are_told_of_their_end_may_be_requeued(self):
        for path in FOLDER.glob("*.sbatch"):
            text = path.read_text()
            self.assertEqual("--signal" in text, "--requeue" in text, path)
            self.assertEqual("--signal" in text, "scontrol requeue" in text, path)

    def test_gpu_job_has_a_rank_for_each_device(self):
        text = (FOLDER / "train_gpu.sbatch").read_text()
        self.assertEqual(re.search(r"--ntasks-per-node=(\d+)", text)[1], re.search(r"--gpus-per-node=(\d+)", text)[1])


class JobArrays(FolderTest):
    def setUp(self):
        super().setUp()
        self.record = self.folder / "record"
        for name in ("plumecast", "scontrol"):
            self.program(name, RECORDS)

    def program(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)

    def start(self, name, *arguments, task):
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "RECORD": str(self.record),
                       "SLURM_ARRAY_TASK_ID": task, "SLURM_ARRAY_JOB_ID": "9", "SLURM_CPUS_PER_TASK": "16"}
        return subprocess.Popen(["bash", FOLDER / name, *arguments], cwd=self.folder, env=environment,
                                stderr=subprocess.PIPE, text=True)

    def test_generate_takes_seed_and_file_from_the_number_of_the_task(self):
        job = self.start("generate.sbatch", "cases.json", "parts", task="7")
        self.assertEqual(job.communicate()[1], "")
        self.assertEqual(job.returncode, 0)
        self.assertEqual(self.record.read_text(), "plumecast generate cases.json -o parts/7.h5 --seed 7 --jobs 16 --resume\n")

    def test_generate_passes_the_signal_on_and_queues_itself_again(self):
        self.program("plumecast", '#!/bin/bash\ntrap "exit 75" USR1\necho started >> "$RECORD"\nfor i in $(seq 300); do sleep 0.1; done\n')
        job = self.start("generate.sbatch", "cases.json", "parts", task="7")
        until = time.monotonic() + 20
        while not self.record.exists() and time.monotonic() < until:
            time.sleep(0.05)
        job.send_signal(signal.SIGUSR1)
        job.communicate(timeout=20)
        self.assertEqual(job.returncode, 75)
        self.assertEqual(self.record.read_text(), "started\nscontrol requeue 9_7\n")

    def test_predict_takes_its_file_from_the_line_of_the_list(self):
        (self.folder / "files.txt").write_text("cases/a.h5\ncases/b.h5\n")
        job = self.start("predict_array.sbatch", "models/radial-co2", "files.txt", "fields", task="2")
        job.communicate()
        self.assertEqual(job.returncode, 0)
        self.assertEqual(self.record.read_text(), "plumecast predict models/radial-co2 cases/b.h5 -o fields/b.h5 --threads 16\n")

    def test_predict_says_when_the_list_has_no_such_line(self):
        (self.folder / "files.txt").write_text("cases/a.h5\n")
        job = self.start("predict_array.sbatch", "models/radial-co2", "files.txt", "fields", task="2")
        self.assertIn("files.txt has no line 2", job.communicate()[1])
        self.assertEqual(job.returncode, 2)
        self.assertFalse(self.record.exists())


if __name__ == "__main__":
    unittest.main()
