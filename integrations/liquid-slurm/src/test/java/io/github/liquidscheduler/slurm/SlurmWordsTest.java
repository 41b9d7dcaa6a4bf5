package io.github.liquidscheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.liquidscheduler.reconcile.NodeCondition;
import io.github.liquidscheduler.reconcile.ObservedState.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single words of Slurm. */
class SlurmWordsTest {

  @ParameterizedTest
  @CsvSource({
    "IDLE, UP",
    "MIXED, UP",
    "ALLOCATED COMPLETING, UP",
    "IDLE CLOUD POWERED_DOWN, UP",
    "ALLOCATED POWERING_UP NOT_RESPONDING, UP",
    "UNKNOWN, SUSPECT",
    "IDLE NOT_RESPONDING, SUSPECT",
    "UNKNOWN DRAIN, SUSPECT",
    "ALLOCATED DRAIN, DRAINING",
    "IDLE MAINTENANCE, DRAINING",
    "IDLE MAINT RESERVED, DRAINING",
    "MIXED FAIL, DRAINING",
    "IDLE REBOOT_ISSUED NOT_RESPONDING, DRAINING",
    "IDLE REBOOT_REQUESTED, UP",
    "DOWN, DOWN",
    "DOWN NOT_RESPONDING, DOWN",
    "ERROR, DOWN",
  })
  void nodesHaveTheConditionOfTheirStates(String states, NodeCondition condition) {
    assertThat(SlurmCluster.condition(Set.of(states.split(" ")))).isEqualTo(condition);
  }

  @ParameterizedTest
  @CsvSource({
    "CD, FINISHED",
    "F, FAILED",
    "TO, FAILED",
    "NF, FAILED",
    "BF, FAILED",
    "PR, FAILED",
    "OOM, OUT_OF_MEMORY",
    "CA, CANCELLED",
    "DL, CANCELLED",
    "COMPLETED, FINISHED"
  })
  void jobsHaveTheOutcomeOfTheirState(String state, Outcome outcome) throws IOException {
    assertThat(JobState.outcome(state)).isEqualTo(outcome);
  }

  @Test
  void resourcesAreReadInEachForm() {
    Tres expected = new Tres(true, "gpu", "a100", "4");
    assertThat(Tres.list("gres:gpu:a100:4")).containsExactly(expected);
    assertThat(Tres.list("gres/gpu:a100=4(IDX:0-1,3)")).containsExactly(expected);
    assertThat(Tres.list("gpu:a100:8(S:0-1),gpu:h100:2(S:0),shard:4"))
        .extracting(Tres::type, Tres::count)
        .containsExactly(tuple("a100", "8"), tuple("h100", "2"), tuple("", "4"));
    assertThat(Tres.list("gres:gpu")).containsExactly(new Tres(true, "gpu", "", "1"));
    assertThat(Tres.list("gres:gpu:1g.10gb:2").getFirst().type()).isEqualTo("1g.10gb");
    assertThat(Tres.list("")).isEmpty();
    assertThat(Tres.list("mem=12.50G").getFirst().amount(1 << 20)).isEqualTo(12_800);
  }

  @Test
  void limitsOfTimeAreReadInEachForm() {
    assertThat(limit("1:30:00")).hasValue(5_400);
    assertThat(limit("10:00")).hasValue(600);
    assertThat(limit("2-00:00:30")).hasValue(172_830);
    assertThat(limit("UNLIMITED")).isEmpty();
    assertThat(limit("Partition_Limit")).isEmpty();
  }

  private static OptionalLong limit(String text) {
    return new JobLine(Map.of(JobLine.Column.LIMIT, text)).limitSeconds();
  }

  @Test
  void durationsHaveUnits() {
    assertThat(Words.duration("90s")).contains(Duration.ofSeconds(90));
    assertThat(Words.duration("1d2h3m4s")).contains(Duration.parse("P1DT2H3M4S"));
    assertThat(List.of("", "5", "h", "2h30", "1s1m"))
        .allMatch(text -> Words.duration(text).isEmpty());
  }

  @Test
  void anExplanationReplacesTheOneBeforeAndNothingElse() {
    AdminComment comment = AdminComment.of("ticket 5 liquid.begin=7 liquid: old words");
    assertThat(comment.with("new\n words")).isEqualTo("ticket 5 liquid.begin=7 liquid: new words");
    assertThat(comment.with("")).isEqualTo("ticket 5 liquid.begin=7");
    assertThat(AdminComment.of("").with("x")).isEqualTo("liquid: x");
    assertThat(AdminComment.of("").with("x".repeat(5000))).hasSize(1008).endsWith("...");
    assertThat(comment.withRequired("").with(""))
        .isEqualTo("ticket 5 liquid.begin=7 liquid.required=-");
    assertThat(comment.withRequired("gpu1").withRequired("gpu2").required()).contains("gpu1");
  }
}
