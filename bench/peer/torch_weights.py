"""Networks of torch_models from state dicts under the published names, and their weights as safetensors."""
import torch
import torch_models
from safetensors.torch import save_file


def network_for(weights):
    """The network whose parameters these are, with the weights loaded; complex ones are pairs on the last axis."""
    if "conv1.fc0.weight" not in weights:
        residual_blocks = len({name.split(".")[1] for name in weights if name.startswith("residual.")})
        first = weights["encoder.0.0.weight"]
        network = torch_models.CNN(first.shape[1], residual_blocks, narrower=32 // first.shape[0])
    else:
        width, channels = weights["conv1.fc0.weight"].shape
        modes = tuple(weights["conv1.conv0.weights1"].shape[2:5])

        def blocks(kind):
            return len({name.split(".")[1] for name in weights if name.startswith(f"conv1.{kind}")})

        convolutions, unets = blocks("convolution"), blocks("unet")
        depth = len({name for name in weights if name.startswith("conv1.conv") and name.endswith(".weights1")})
        network = torch_models.PaddedOperator(
            modes, width, channels_in=channels, fourier=depth - convolutions - unets, conv_fourier=convolutions,
            u_fourier=unets,
        )
    state = network.state_dict()
    for name, value in weights.items():
        weights[name] = torch.view_as_complex(value.contiguous()) if state[name].is_complex() else value
    missing = network.load_state_dict(weights, strict=False).missing_keys
    lost = [name for name in missing if not name.endswith("num_batches_tracked")]
    if lost:
        raise SystemExit(f"error: the weights lack {', '.join(lost[:3])} (of {len(lost)} missing tensors)")
    return network


def write_safetensors(network, path):
    tensors = {}
    for name, value in network.state_dict().items():
        tensors[name] = torch.view_as_real(value).contiguous() if value.is_complex() else value.contiguous()
    save_file(tensors, path)
