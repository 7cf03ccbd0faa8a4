#!/usr/bin/env python3
"""Independent PyTorch statement of the networks, used as a peer for parity checks and timing.

Tensors are channels-last, [batch, z, r, t, channel], as in the published data sets
(z = reservoir thickness, 96 cells; r = radius, 200 cells; t = 24 snapshots; 12 input channels).
Parameter names equal those of the published U-FNO checkpoints, so that a state dict moves
between the two without renaming.

Source of the architecture: Wen, Li, Azizzadenesheli, Anandkumar, Benson, "U-FNO - An enhanced
Fourier neural operator-based deep-learning model for multiphase flow", Advances in Water
Resources 163 (2022) 104180.
"""
import torch
from torch import nn
from torch.nn import functional as F


class SpectralConvolution(nn.Module):
    """Multiplies the lowest Fourier modes of [B, C, Z, R, T] by one complex C x C matrix per mode.

    weights1..4 hold the sign quadrants (+z +r), (-z +r), (+z -r), (-z -r); the last axis keeps
    its non-negative half, as rfftn leaves it. FFT normalisation is 'backward' (inverse scales by 1/N).
    """

    QUADRANTS = ((1, 1), (-1, 1), (1, -1), (-1, -1))

    def __init__(self, channels, modes):
        super().__init__()
        self.modes = modes
        for index in range(1, 5):
            initial = torch.rand(channels, channels, *modes, dtype=torch.cfloat) / channels**2
            self.register_parameter(f"weights{index}", nn.Parameter(initial))

    def forward(self, field):
        spectrum = torch.fft.rfftn(field, dim=(-3, -2, -1))
        mixed = torch.zeros_like(spectrum)
        mz, mr, mt = self.modes
        for index, (sign_z, sign_r) in enumerate(self.QUADRANTS, start=1):
            z = slice(0, mz) if sign_z > 0 else slice(-mz, None)
            r = slice(0, mr) if sign_r > 0 else slice(-mr, None)
            weight = getattr(self, f"weights{index}")
            mixed[:, :, z, r, :mt] = torch.einsum("bizrt,iozrt->bozrt", spectrum[:, :, z, r, :mt], weight)
        return torch.fft.irfftn(mixed, s=field.shape[-3:])


def contracting(channels, stride):
    return nn.Sequential(
        nn.Conv3d(channels, channels, 3, stride=stride, padding=1, bias=False),
        nn.BatchNorm3d(channels),
        nn.LeakyReLU(0.1),
        nn.Dropout(0.0),
    )


def expanding(channels_in, channels_out):
    return nn.Sequential(nn.ConvTranspose3d(channels_in, channels_out, 4, stride=2, padding=1), nn.LeakyReLU(0.1))


class UNet(nn.Module):
    """Three-level U-Net on [B, C, Z, R, T]; every extent must be a multiple of 8."""

    def __init__(self, channels):
        super().__init__()
        self.conv1 = contracting(channels, 2)
        self.conv2 = contracting(channels, 2)
        self.conv2_1 = contracting(channels, 1)
        self.conv3 = contracting(channels, 2)
        self.conv3_1 = contracting(channels, 1)
        self.deconv2 = expanding(channels, channels)
        self.deconv1 = expanding(2 * channels, channels)
        self.deconv0 = expanding(2 * channels, channels)
        self.output_layer = nn.Conv3d(2 * channels, channels, 3, padding=1)

    def forward(self, field):
        half = self.conv1(field)
        quarter = self.conv2_1(self.conv2(half))
        eighth = self.conv3_1(self.conv3(quarter))
        up = torch.cat((quarter, self.deconv2(eighth)), 1)
        up = torch.cat((half, self.deconv1(up)), 1)
        return self.output_layer(torch.cat((field, self.deconv0(up)), 1))


class Operator(nn.Module):
    """Lift, `fourier` plain Fourier blocks, `conv_fourier` with a 3x3x3 convolution beside, `u_fourier` with a U-Net, projection."""

    def __init__(self, modes, width, channels_in=12, fourier=3, conv_fourier=0, u_fourier=3):
        super().__init__()
        self.depth = fourier + conv_fourier + u_fourier
        self.fc0 = nn.Linear(channels_in, width)
        for k in range(self.depth):
            setattr(self, f"conv{k}", SpectralConvolution(width, modes))
        for k in range(self.depth):
            setattr(self, f"w{k}", nn.Conv1d(width, width, 1))
        for k in range(fourier, fourier + conv_fourier):
            setattr(self, f"convolution{k}", nn.Conv3d(width, width, 3, padding=1))
        for k in range(fourier + conv_fourier, self.depth):
            setattr(self, f"unet{k}", UNet(width))
        self.fc1 = nn.Linear(width, 128)
        self.fc2 = nn.Linear(128, 1)

    def forward(self, inputs):
        field = self.fc0(inputs).movedim(-1, 1)
        for k in range(self.depth):
            total = getattr(self, f"conv{k}")(field) + getattr(self, f"w{k}")(field.flatten(2)).view_as(field)
            for beside in (f"convolution{k}", f"unet{k}"):
                if hasattr(self, beside):
                    total = total + getattr(self, beside)(field)
            field = torch.relu(total)
        return self.fc2(torch.relu(self.fc1(field.movedim(1, -1))))


class PaddedOperator(nn.Module):
    """An Operator on [B, Z, R, T, 12] -> [B, Z, R, T].

    The domain is padded by 8 at the high end of every axis: r and t repeat the last cell,
    z is filled with zeros; then r and t likewise, and z likewise, up to the next multiple of 8.
    The padding is cut off again after the projection.
    """

    PAD = 8

    def __init__(self, modes=(10, 10, 10), width=36, **depths):
        super().__init__()
        self.conv1 = Operator(modes, width, **depths)

    def forward(self, inputs):
        z, r, t = inputs.shape[1:4]
        pad_z, pad_r, pad_t = (self.PAD + -(n + self.PAD) % 8 for n in (z, r, t))
        field = F.pad(inputs, (0, 0, 0, pad_t, 0, pad_r), mode="replicate")
        field = F.pad(field, (0, 0, 0, 0, 0, 0, 0, pad_z))
        return self.conv1(field)[:, :z, :r, :t, 0]


def fno(modes=(10, 10, 10), width=36, channels_in=12, blocks=6):
    """Plain Fourier blocks only."""
    return PaddedOperator(modes, width, channels_in=channels_in, fourier=blocks, u_fourier=0)


def conv_fno(modes=(10, 10, 10), width=36, channels_in=12, fourier=3, conv_fourier=3):
    """Fourier blocks, then Fourier blocks with a biased 3x3x3 convolution beside."""
    return PaddedOperator(
        modes, width, channels_in=channels_in, fourier=fourier, conv_fourier=conv_fourier, u_fourier=0
    )


def ufno(modes=(10, 10, 10), width=36, channels_in=12, fourier=3, u_fourier=3):
    """Fourier blocks, then Fourier blocks with a U-Net beside."""
    return PaddedOperator(modes, width, channels_in=channels_in, fourier=fourier, u_fourier=u_fourier)


class Residual(nn.Module):
    """v + bn(conv(relu(bn(conv(v)))))"""

    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv3d(channels, channels, 3, padding=1)
        self.bn1 = nn.BatchNorm3d(channels)
        self.conv2 = nn.Conv3d(channels, channels, 3, padding=1)
        self.bn2 = nn.BatchNorm3d(channels)

    def forward(self, field):
        return field + self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(field)))))


def in_double(network):
    """The network in float64; Module.double() would leave complex weights in single precision."""
    network = network.double()
    for parameter in network.parameters():
        if parameter.is_complex():
            parameter.data = parameter.data.to(torch.complex128)
    return network


class CNN(nn.Module):
    """Residual encoder-decoder on [B, Z, R, T, C] -> [B, Z, R, T], without skips across the middle.

    Every extent must be a multiple of 8. Each convolution has a bias, each but the last a batch norm after it.
    `narrower` divides the published widths.
    """

    ENCODER = ((32, 2), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1))
    DECODER = ((256, 1), (256, 2), (128, 1), (128, 2), (64, 1), (32, 2))

    def __init__(self, channels_in=12, residual_blocks=7, narrower=1):
        super().__init__()
        self.encoder = nn.ModuleList()
        self.decoder = nn.ModuleList()
        channels = channels_in
        for wider, stride in ((width // narrower, stride) for width, stride in self.ENCODER):
            self.encoder.append(self.block(nn.Conv3d(channels, wider, 3, stride=stride, padding=1)))
            channels = wider
        self.residual = nn.ModuleList(Residual(channels) for _ in range(residual_blocks))
        for width, stride in ((width // narrower, stride) for width, stride in self.DECODER):
            if stride == 2:
                layer = nn.ConvTranspose3d(channels, width, 3, stride=2, padding=1, output_padding=1)
            else:
                layer = nn.Conv3d(channels, width, 3, padding=1)
            self.decoder.append(self.block(layer))
            channels = width
        self.output = nn.Conv3d(channels, 1, 3, padding=1)

    @staticmethod
    def block(convolution):
        return nn.Sequential(convolution, nn.BatchNorm3d(convolution.out_channels), nn.ReLU())

    def forward(self, inputs):
        field = inputs.movedim(-1, 1)
        for stage in (*self.encoder, *self.residual, *self.decoder):
            field = stage(field)
        return self.output(field)[:, 0]


NETWORKS = {"fno": fno, "conv_fno": conv_fno, "ufno": ufno, "cnn": CNN}


def relative_l2(prediction, truth):
    """Mean over the batch of ||prediction - truth|| / ||truth||, norms over all other axes."""
    batch = truth.shape[0]
    error = (prediction - truth).reshape(batch, -1).norm(dim=1)
    return (error / truth.reshape(batch, -1).norm(dim=1)).mean()
