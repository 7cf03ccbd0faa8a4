"""Opens an exported case in ParaView and stores a picture, without a screen:

    xvfb-run -a pvbatch paraview_picture.py CASE.pvd plume.png

Run by ParaView's own interpreter, pvbatch (Debian: python3-paraview). Does what one would by hand: open, last time, cut
the cylinder open, stretch depth, colour by the field.
"""
import argparse
import os
import sys

from paraview import simple

STRETCH = 12.0
# Light grey where there is nothing, then from teal to dark blue.
COLOURS = ((0.0, (0.93, 0.93, 0.91)), (0.02, (0.80, 0.90, 0.84)), (0.35, (0.30, 0.72, 0.70)), (0.7, (0.10, 0.45, 0.66)),
           (1.0, (0.07, 0.19, 0.44)))


def opened(path):
    """The case and its last time."""
    if not os.path.isfile(path):
        sys.exit(f"{path}: no such file; name CASE.pvd or CASE.xdmf that 'plumecast export' wrote")
    # For XDMF the reader "Xdmf Reader"; those called Xdmf3 do not see slabs of HDF5 arrays.
    source = simple.XDMFReader(FileNames=[path]) if path.endswith(".xdmf") else simple.PVDReader(FileName=path)
    source.UpdatePipelineInformation()
    return source, source.TimestepValues[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", help="CASE.pvd or CASE.xdmf")
    parser.add_argument("picture")
    parser.add_argument("--field", default="gas_saturation")
    parser.add_argument("--radius", type=float, default=4000.0, help="cut at this radius [m]")
    arguments = parser.parse_args()
    source, last = opened(arguments.case)
    view = simple.CreateView("RenderView")
    view.ViewSize = [1000, 420]
    view.Background = [1.0, 1.0, 1.0]
    view.UseColorPaletteForBackground = 0
    view.OrientationAxesVisibility = 0
    view.ViewTime = last
    source.UpdatePipeline(last)
    if source.CellData.GetArray(arguments.field) is None:
        sys.exit(f"{arguments.case}: no field {arguments.field}; choose one of {', '.join(source.CellData.keys())}")

    inner = simple.Clip(Input=source, ClipType="Cylinder", Crinkleclip=1, Invert=1)
    inner.ClipType.Axis = [0.0, 0.0, 1.0]
    inner.ClipType.Center = [0.0, 0.0, 0.0]
    inner.ClipType.Radius = arguments.radius
    half = simple.Clip(Input=inner, ClipType="Plane", Crinkleclip=1, Invert=0)
    half.ClipType.Origin = [0.0, -1.0, 0.0]  # a metre off, so that cells at the cut count as inside
    half.ClipType.Normal = [0.0, 1.0, 0.0]
    stretched = simple.Transform(Input=half, Transform="Transform")
    stretched.Transform.Scale = [1.0, 1.0, STRETCH]

    stretched.UpdatePipeline(last)
    shown = simple.Show(stretched, view)
    shown.Representation = "Surface With Edges"
    shown.Ambient, shown.Diffuse = 0.55, 0.45
    shown.EdgeColor = [0.72, 0.74, 0.76]
    simple.ColorBy(shown, ("CELLS", arguments.field))
    low, high = stretched.CellData.GetArray(arguments.field).GetRange()
    colours = simple.GetColorTransferFunction(arguments.field)
    colours.RGBPoints = [number for at, colour in COLOURS for number in (min(0.0, low) + at * (high - min(0.0, low)), *colour)]
    colours.ColorSpace = "RGB"
    bar = simple.GetScalarBar(colours, view)
    bar.AutomaticLabelFormat = 0
    bar.LabelFormat = bar.RangeLabelFormat = "%.2f"
    bar.WindowLocation = "Any Location"
    bar.Position = [0.89, 0.22]
    bar.ScalarBarLength = 0.55
    bar.Title = arguments.field.replace("_", " ")
    bar.ComponentTitle = ""
    bar.TitleColor = bar.LabelColor = [0.13, 0.14, 0.16]
    shown.SetScalarBarVisibility(view, True)

    view.CameraViewUp = [0.0, 0.0, 1.0]
    view.CameraPosition = [-0.22, -1.0, 0.34]
    view.CameraFocalPoint = [0.0, 0.0, 0.0]
    view.ResetCamera()
    simple.GetActiveCamera().Zoom(1.75)
    simple.SaveScreenshot(arguments.picture, view)


if __name__ == "__main__":
    main()
