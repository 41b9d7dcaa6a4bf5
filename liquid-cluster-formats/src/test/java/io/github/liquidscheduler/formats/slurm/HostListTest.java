package io.github.liquidscheduler.formats.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.liquidscheduler.formats.InputFormatException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostListTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "gpu[0001-0003,0007]; gpu0001 gpu0002 gpu0003 gpu0007",
        "gpu1; gpu1",
        "gpu[9-11]; gpu9 gpu10 gpu11",
        "gpu[099-100]; gpu099 gpu100",
        "gpu[1,3],login,cpu[1-2]-ib; gpu1 gpu3 login cpu1-ib cpu2-ib",
        "rack1node[1-2]; rack1node1 rack1node2",
        "gpu1,gpu01; gpu1 gpu01",
        "a12345678901,a12345678902; a12345678901 a12345678902"
      })
  void namesAreFoldedAndExpandedAgain(String folded, String names) {
    List<String> expected = List.of(names.split(" "));
    assertThat(HostList.names("test", folded)).isEqualTo(expected);
    assertThat(HostList.names("test", HostList.fold(expected))).isEqualTo(expected);
    assertThat(HostList.fold(expected).length()).isLessThanOrEqualTo(folded.length() + 2);
  }

  @Test
  void severalBracketsAreExpanded() {
    assertThat(HostList.names("test", "r[1-2]n[1-2]"))
        .containsExactly("r1n1", "r1n2", "r2n1", "r2n2");
    assertThat(HostList.names("test", "")).isEmpty();
    assertThat(HostList.fold(List.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gpu[1", "gpu]1[", "gpu[2-1]", "gpu[1-9999999]", "gpu[a]", "a,,b"})
  void whatIsNoListIsRefused(String list) {
    assertThatExceptionOfType(InputFormatException.class)
        .isThrownBy(() -> HostList.names("test", list));
  }
}
