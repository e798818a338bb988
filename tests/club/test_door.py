"""Which addresses the limits of the hub count as one."""

import pytest

from club.web.door import counted_address


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1%eth0", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("testclient", ""),
    ],
)
def test_who_has_a_whole_ipv6_network_counts_once(text: str, name: str) -> None:
    assert counted_address(text) == name
