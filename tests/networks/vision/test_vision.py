"""Networks that read digits."""

import pytest
import torch

from nalm.networks.architecture import redraw
from nalm.networks.vision import ColourDigits, DigitClassifier, DigitRegressor, DigitSequence, TwoDigits


def parameters(network: torch.nn.Module) -> int:
    return sum(value.numel() for value in network.parameters())


def test_sizes_are_those_printed() -> None:
    # 002 figures E.1, E.3 and E.4.
    assert parameters(DigitClassifier()) == 320 + 18_496 + 1_179_776 + 1_290
    assert parameters(DigitClassifier(channels=2, size=21)) == 608 + 18_496 + 524_416 + 1_290
    assert parameters(DigitRegressor()) == 520 + 25_050 + 400_500 + 501


def test_left_and_right_are_read_in_their_order() -> None:
    network = TwoDigits("solved div", classes=9, first=1).eval()
    x = torch.randint(0, 256, (3, 28, 56), dtype=torch.uint8)
    result, left, right = network(x).unbind(dim=1)
    torch.testing.assert_close(result, left / right)
    halves = [(half.float() / 255 - 0.1307) / 0.3081 for half in (x[..., :28], x[..., 28:])]
    torch.testing.assert_close(left, network.front(halves[0].unsqueeze(1)))
    torch.testing.assert_close(right, network.front(halves[1].unsqueeze(1)))
    assert ((left >= 1) & (left <= 9)).all()


def test_a_cell_accumulates() -> None:
    network = DigitSequence("NMU", start=1.0)
    network.cell.assign(weight=torch.tensor([[1.0, 1.0]]))
    states, digits = network(torch.randint(0, 256, (3, 4, 28, 28), dtype=torch.uint8)).unbind(dim=-1)
    torch.testing.assert_close(states, digits.cumprod(dim=1))


def test_an_lstm_carries_both_states() -> None:
    network = DigitSequence("LSTM")
    x = torch.randint(0, 256, (3, 4, 28, 28), dtype=torch.uint8)
    states, digits = network(x).unbind(dim=-1)
    lstm = torch.nn.LSTM(1, 1, batch_first=True)
    lstm.load_state_dict({f"{name}_l0": value for name, value in network.cell.state_dict().items()})
    torch.testing.assert_close(states, lstm(digits.unsqueeze(-1))[0].squeeze(-1))


@pytest.mark.parametrize("network", [TwoDigits("NMU"), ColourDigits("NMU"), DigitSequence("NMU")])
def test_redrawing_changes_every_layer(network: torch.nn.Module) -> None:
    before = {name: value.clone() for name, value in network.named_parameters()}
    redraw(network)
    same = [name for name, value in network.named_parameters() if torch.equal(value, before[name])]
    # The spatial transformers start from the identity each time.
    assert all(name.split(".")[1:2] == ["fc2"] for name in same)


def test_sequences_of_the_same_pictures_are_read_once() -> None:
    network = DigitSequence("solved mul", start=1.0).eval()
    pixels = torch.randint(0, 256, (12, 28, 28), dtype=torch.uint8)
    cuts = [
        pixels[: n // length * length].view(-1, length, 28, 28) for n, length in ((6, 1), (12, 2), (12, 5))
    ]
    with torch.no_grad():
        expected = [network(x) for x in cuts]
        seen = []
        network.front.register_forward_pre_hook(lambda module, arguments: seen.append(len(arguments[0])))
        with network.reading_once():
            found = [network(x) for x in (*cuts, cuts[1][3:])]
        assert seen == [6, 6]
        network(cuts[0])
    assert seen == [6, 6, 6]
    for own, plain in zip(found, (*expected, expected[1][3:]), strict=True):
        torch.testing.assert_close(own, plain)
