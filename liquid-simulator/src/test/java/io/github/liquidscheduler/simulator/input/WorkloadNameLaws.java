package io.github.liquidscheduler.simulator.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.Workload;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotBlank;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;

class WorkloadNameLaws {

  @Property(tries = 300)
  void whatANameWasMadeOfIsReadFromIt(
      @ForAll @AlphaChars @NumericChars @Chars({' ', '-', '('}) @NotBlank String family,
      @ForAll @IntRange(max = 999_999_999) int samples,
      @ForAll @AlphaChars @NumericChars @StringLength(max = 5) String precision) {
    OptionalInt batchSize = samples == 0 ? OptionalInt.empty() : OptionalInt.of(samples);
    Optional<String> stated = Optional.of(precision).filter(each -> !each.isEmpty());

    Workload workload = WorkloadName.parse(WorkloadName.of(family, batchSize, stated));

    assertThat(workload.family()).isEqualTo(family);
    assertThat(workload.batchSize()).isEqualTo(batchSize);
    assertThat(workload.precision()).isEqualTo(stated);
    assertThat(WorkloadName.of(workload)).isEqualTo(WorkloadName.of(family, batchSize, stated));
  }

  @Example
  void namesAreThoseOfGavel() {
    assertThat(WorkloadName.parse("ResNet-18 (batch size 16)").batchSize()).hasValue(16);
    assertThat(WorkloadName.of("LM", OptionalInt.of(5), Optional.of("fp16")))
        .isEqualTo("LM (batch size 5, precision fp16)");
  }

  @Example
  void whatIsInNoSuchFormIsAFamilyAsAWhole() {
    assertThat(WorkloadName.parse("A3C (large)").family()).isEqualTo("A3C (large)");
    assertThat(WorkloadName.parse("LM (batch size many)").family())
        .isEqualTo("LM (batch size many)");
  }
}
