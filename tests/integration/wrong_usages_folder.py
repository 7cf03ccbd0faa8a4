"""The files that the wrong usages meet: good ones, and damaged, foreign and strange ones."""

import json
import shutil
import subprocess
from pathlib import Path

import h5py
import numpy

from cli_test_case import PLUMECAST, WRITE_SAMPLE

ROOT = Path(__file__).resolve().parents[2]
RECIPE = {
    "data": {"train": "sample.h5", "validation": "sample.h5"}, "output": "run",
    "network": {"architecture": "ufno", "width": 4, "hidden": 6, "modes": [2, 2, 2], "fourier_blocks": 1,
                "extended_blocks": 1},
    "epochs": 1, "batch_size": 2, "seed": 17, "threads": 1,
}
OPTIMIZE = {"data": "cases.h5", "limits": [{"figure": "max_buildup", "at_most": 40.0}], "substeps": 1,
            "search": {"points": 2, "polished": 1, "evaluations": 3}}
HELD = {"host": "a-machine-elsewhere", "process": 4711, "started": "2026-01-31T08:00:00Z"}


def call(folder, *arguments):
    subprocess.run([PLUMECAST, *arguments], cwd=folder, check=True, capture_output=True)


def copy_with(folder, name, change):
    """A copy of the sample's inputs with something wrong in it."""
    shutil.copy(folder / "inputs.h5", folder / name)
    with h5py.File(folder / name, "r+") as file:
        change(file)


def set_values(array, value):
    def change(file):
        values = file[array][...]
        values.flat[0] = value
        file[array][...] = values
    return change


def transpose(file):
    values, attributes = file["inputs/porosity"][...], dict(file["inputs/porosity"].attrs)
    del file["inputs/porosity"]
    file["inputs/porosity"] = numpy.swapaxes(values, 1, 2)
    file["inputs/porosity"].attrs.update(attributes)


def link_outside(file):
    del file["inputs/porosity"]
    file["inputs/porosity"] = h5py.ExternalLink("rock.h5", "/porosity")


def write_data(folder):
    for kind, name in (("", "sample.h5"), ("guided", "cases.h5"), ("inputs", "inputs.h5"), ("cartesian", "box.h5"),
                       ("broken", "broken.h5")):
        subprocess.run([WRITE_SAMPLE, folder / name] + ([kind] if kind else []), check=True)
    copy_with(folder, "nan.h5", set_values("inputs/porosity", numpy.nan))
    copy_with(folder, "kelvin.h5", set_values("inputs/temperature", 333.0 + 273.0))
    copy_with(folder, "unit.h5", lambda file: file["inputs/initial_pressure"].attrs.modify("units", "MPa"))
    copy_with(folder, "shape.h5", transpose)
    copy_with(folder, "without.h5", lambda file: file.pop("inputs/temperature"))
    copy_with(folder, "version.h5", lambda file: file.attrs.modify("format_version", 7))
    copy_with(folder, "half_version.h5", lambda file: file.attrs.create("format_version", 1.5))
    copy_with(folder, "units.h5", lambda file: file["inputs/porosity"].attrs.create("units", [b"1", b"%"]))
    copy_with(folder, "linked.h5", link_outside)
    shutil.copy(folder / "cases.h5", folder / "sealed.h5")
    with h5py.File(folder / "sealed.h5", "r+") as file:
        file["inputs/perforation"][...] = 0.0
    (folder / "link.h5").symlink_to("cases.h5")
    content = (folder / "sample.h5").read_bytes()
    (folder / "short.h5").write_bytes(content[: len(content) // 2])
    with h5py.File(folder / "array.h5", "w") as file:
        file["porosity"] = numpy.full((2, 2), 0.2)
    with h5py.File(folder / "channels.h5", "w") as file:
        file["channels"] = numpy.zeros((1, 4, 5, 3, 2), "f4")


def write_texts(folder):
    for name, text in (("empty.h5", ""), ("text.h5", "not HDF5 at all\n"), ("empty.json", ""), ("half.json", '{"epochs": 3,'),
                       ("twice.json", '{"epochs": 3, "epochs": 4}'), ("text.safetensors", "no safetensors at all\n"),
                       ("pointer.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"),
                       ("model.pt", "PK\x03\x04 as PyTorch writes"), ("model.grdecl", "PORO\n 4*0.2 /\n"),
                       ("photo.png", "a photo"), ("recipe.json", json.dumps(RECIPE)), ("generate.json", "{}"), ("optimize.json", json.dumps(OPTIMIZE)),
                       ("photos/best/beach.png", "a photo"), ("others/report.html", "of somebody else"),
                       ("others/CASE_0000.UNRST", "simulated"), ("taken/recipe.json", "mine"), ("elsewhere/.lock", json.dumps(HELD)),
                       ("folder/notes.txt", "notes"), ("foreign/model.json", '{"format": "of another program"}')):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    reference = ROOT / "tests" / "reference"
    shutil.copy(reference / "ufno_small.safetensors", folder / "weights.safetensors")
    weights = (reference / "ufno_small.safetensors").read_bytes()
    at = weights.index(b'"F32"', weights.index(b'conv1.fc0.bias"'))
    (folder / "whole.safetensors").write_bytes(weights[:at] + b'"I32"' + weights[at + 5:])
    header = json.dumps({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    (folder / "foreign.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))


def write_models(folder):
    call(folder, "train", "recipe.json")
    call(folder, "predict", "run/best", "sample.h5", "-o", "fields.h5")
    shutil.copy(folder / "fields.h5", folder / "CASE_mesh.h5")
    for name in ("damaged", "lost"):
        shutil.copytree(folder / "run" / "best", folder / name)
    shutil.copytree(folder / "run" / "best", folder / "strange")
    (folder / "strange" / ".calibration.h5").write_text("notes")
    weights = next((folder / "damaged").glob("*.safetensors"))
    weights.write_bytes(weights.read_bytes()[:-7])
    next((folder / "lost").glob("*.safetensors")).unlink()


def prepare(folder):
    write_data(folder)
    write_texts(folder)
    write_models(folder)
