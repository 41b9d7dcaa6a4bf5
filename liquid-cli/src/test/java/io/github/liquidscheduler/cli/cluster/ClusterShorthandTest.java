package io.github.liquidscheduler.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.cli.cluster.ClusterShorthand.Group;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterShorthandTest {

  @Test
  void nodesOfSeveralGpusAreRead() {
    ClusterShorthand cluster = ClusterShorthand.parse("64x8xV100");

    assertThat(cluster.groups()).containsExactly(new Group(64, 8, "V100"));
  }

  @Test
  void nodesOfOneGpuAreRead() {
    assertThat(ClusterShorthand.parse("8xV100,16xP100,24xK80").groups())
        .containsExactly(
            new Group(8, 1, "V100"), new Group(16, 1, "P100"), new Group(24, 1, "K80"));
  }

  @Test
  void groupsOfBothKindsAreCombined() {
    ClusterShorthand cluster = ClusterShorthand.parse("4x8xA100-80GB,2xA100-80GB,1x2xRTX_6000.x");

    assertThat(cluster.groups())
        .containsExactly(
            new Group(4, 8, "A100-80GB"),
            new Group(2, 1, "A100-80GB"),
            new Group(1, 2, "RTX_6000.x"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | 1 | \"\"",
        "V100 | 1 | V100",
        "8x | 1 | 8x",
        "8 x V100 | 1 | 8 x V100",
        "-8xV100 | 1 | -8xV100",
        "8xV100, | 8 | \"\"",
        "8xV100,,8xK80 | 8 | \"\"",
        "8xV100,1x2x3xK80 | 8 | 1x2x3xK80",
        "8xV100,4x80GB | 8 | 4x80GB"
      })
  void aGroupOfAnotherFormIsNamedWithItsPlace(String text, int place, String group) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClusterShorthand.parse(text))
        .withMessage(
            "cluster '%s', character %d: a group must be NODESxGPUSxMODEL or NODESxMODEL, such as"
                + " 64x8xV100, but was '%s'",
            text, place, group);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0x8xV100 | 1 | nodes must be from 1 to 1000000 | 0",
        "8xV100,1000001xK80 | 8 | nodes must be from 1 to 1000000 | 1000001",
        "99999999999999999999xK80 | 1 | nodes must be from 1 to 1000000 | 99999999999999999999",
        "8x0xV100 | 3 | GPUs per node must be from 1 to 1024 | 0",
        "8xV100,4x1025xK80 | 10 | GPUs per node must be from 1 to 1024 | 1025"
      })
  void aNumberOutOfRangeIsNamedWithItsPlace(String text, int place, String rule, String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClusterShorthand.parse(text))
        .withMessage("cluster '%s', character %d: %s, but was '%s'", text, place, rule, value);
  }

  @Property
  void whatIsWrittenIsReadBack(@ForAll("clusters") ClusterShorthand cluster) {
    String text =
        cluster.groups().stream().map(ClusterShorthandTest::text).collect(Collectors.joining(","));

    assertThat(ClusterShorthand.parse(text)).isEqualTo(cluster);
  }

  private static String text(Group group) {
    String gpus = group.gpusPerNode() == 1 ? "" : group.gpusPerNode() + "x";
    return group.nodes() + "x" + gpus + group.model();
  }

  @Property
  void whateverTheTextAClusterOrAComplaintComesOut(@ForAll String text) {
    try {
      assertThat(ClusterShorthand.parse(text).groups()).isNotEmpty();
    } catch (IllegalArgumentException e) {
      assertThat(e).message().startsWith("cluster '").doesNotContainPattern("\\p{Cntrl}");
    }
  }

  @Provide
  Arbitrary<ClusterShorthand> clusters() {
    Arbitrary<String> models =
        Arbitraries.strings()
            .withChars("ABCxyz")
            .ofLength(1)
            .flatMap(
                first ->
                    Arbitraries.strings()
                        .withChars("AxX019-_.")
                        .ofMaxLength(6)
                        .map(rest -> first + rest));
    return Combinators.combine(
            Arbitraries.integers().between(1, ClusterShorthand.MOST_NODES),
            Arbitraries.integers().between(1, ClusterShorthand.MOST_GPUS_PER_NODE),
            models)
        .as(Group::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(5)
        .map(ClusterShorthand::new);
  }
}
