#!/usr/bin/env python3
"""Draws an exported cylinder with VTK, without a screen: xvfb-run -a /usr/bin/python3 render.py CASE_0023.vtu plume.png

Needs python3-vtk9 and, where there is no display, xvfb and xauth. The front half is cut away and depth is stretched.
"""
import argparse
import os
import sys

import vtk

STRETCH = 12.0


def opened(path, field):
    """The cells of a .vtu file that has the field."""
    reader = vtk.vtkXMLUnstructuredGridReader()
    if not os.path.isfile(path):
        sys.exit(f"{path}: no such file; name a .vtu file that 'plumecast export --format vtk' wrote")
    if not reader.CanReadFile(path):
        sys.exit(f"{path}: no unstructured grid of VTK; name a .vtu file (a case exported with --sectors 3 or more)")
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutput().GetCellData()
    names = [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]
    if field not in names:
        sys.exit(f"{path}: no field {field}; choose one of {', '.join(names)}")
    return reader


def cut_cylinder(reader, radius):
    """Cells of the far half within a radius, depth stretched."""
    cylinder = vtk.vtkCylinder()
    cylinder.SetAxis(0.0, 0.0, 1.0)
    cylinder.SetRadius(radius)
    plane = vtk.vtkPlane()
    plane.SetNormal(0.0, -1.0, 0.0)
    plane.SetOrigin(0.0, -1.0, 0.0)  # a metre off, so that cells at the cut count as inside
    both = vtk.vtkImplicitBoolean()
    both.SetOperationTypeToIntersection()
    both.AddFunction(cylinder)
    both.AddFunction(plane)
    half = vtk.vtkExtractGeometry()
    half.SetImplicitFunction(both)
    half.SetInputConnection(reader.GetOutputPort())
    stretch = vtk.vtkTransform()
    stretch.Scale(1.0, 1.0, STRETCH)
    stretched = vtk.vtkTransformFilter()
    stretched.SetTransform(stretch)
    stretched.SetInputConnection(half.GetOutputPort())
    return stretched


def colours(low, high):
    """Light grey where there is nothing, then from teal to dark blue."""
    table = vtk.vtkColorTransferFunction()
    for at, colour in ((0.0, (0.93, 0.93, 0.91)), (0.02, (0.80, 0.90, 0.84)), (0.35, (0.30, 0.72, 0.70)),
                       (0.7, (0.10, 0.45, 0.66)), (1.0, (0.07, 0.19, 0.44))):
        table.AddRGBPoint(low + at * (high - low), *colour)
    return table


def scene(cells, field):
    cells.Update()
    low, high = cells.GetOutput().GetCellData().GetArray(field).GetRange()
    surface = vtk.vtkDataSetSurfaceFilter()
    surface.SetInputConnection(cells.GetOutputPort())
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(surface.GetOutputPort())
    mapper.SetScalarModeToUseCellFieldData()
    mapper.SelectColorArray(field)
    mapper.SetLookupTable(colours(min(0.0, low), high))
    body = vtk.vtkActor()
    body.SetMapper(mapper)
    body.GetProperty().EdgeVisibilityOn()
    body.GetProperty().SetEdgeColor(0.72, 0.74, 0.76)
    body.GetProperty().SetLineWidth(0.5)
    body.GetProperty().SetAmbient(0.55)
    body.GetProperty().SetDiffuse(0.45)
    bar = vtk.vtkScalarBarActor()
    bar.SetLookupTable(mapper.GetLookupTable())
    bar.SetTitle(field.replace("_", " "))
    bar.SetNumberOfLabels(4)
    bar.SetLabelFormat("%.2f")
    bar.SetPosition(0.885, 0.2)
    bar.SetWidth(0.08)
    bar.SetHeight(0.6)
    bar.SetVerticalTitleSeparation(12)
    bar.UnconstrainedFontSizeOn()
    for text in (bar.GetTitleTextProperty(), bar.GetLabelTextProperty()):
        text.SetFontSize(15)
        text.SetColor(0.13, 0.14, 0.16)
        text.ItalicOff()
        text.ShadowOff()
        text.BoldOff()
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1.0, 1.0, 1.0)
    renderer.AddActor(body)
    renderer.AddActor2D(bar)
    return renderer


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("picture")
    parser.add_argument("--field", default="gas_saturation")
    parser.add_argument("--radius", type=float, default=4000.0, help="cut at this radius [m]")
    arguments = parser.parse_args()
    vtk.vtkObject.GlobalWarningDisplayOff()  # the messages below say it in one line
    renderer = scene(cut_cylinder(opened(arguments.file, arguments.field), arguments.radius), arguments.field)
    window = vtk.vtkRenderWindow()
    if window.GetClassName() == "vtkXOpenGLRenderWindow" and not os.environ.get("DISPLAY"):
        sys.exit("no display (this VTK draws through X, off the screen too); put 'xvfb-run -a' before the command")
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    window.SetSize(1000, 420)
    window.AddRenderer(renderer)
    camera = renderer.GetActiveCamera()
    camera.SetViewUp(0.0, 0.0, 1.0)
    camera.SetPosition(-0.22, -1.0, 0.34)
    camera.SetFocalPoint(0.0, 0.0, 0.0)
    renderer.ResetCamera()
    camera.Zoom(1.75)
    window.Render()
    image = vtk.vtkWindowToImageFilter()
    image.SetInput(window)
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(arguments.picture)
    writer.SetInputConnection(image.GetOutputPort())
    writer.Write()
    if writer.GetErrorCode() != 0:
        sys.exit(f"{arguments.picture}: the picture cannot be written; choose another folder, or free space")


if __name__ == "__main__":
    main()
