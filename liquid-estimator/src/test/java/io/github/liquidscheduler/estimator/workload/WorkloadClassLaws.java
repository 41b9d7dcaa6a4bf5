package io.github.liquidscheduler.estimator.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.Workload;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class WorkloadClassLaws {

  @Provide
  Arbitrary<String> words() {
    return Arbitraries.strings().ofMinLength(1).ofMaxLength(20).filter(word -> !word.isBlank());
  }

  @Property
  void whateverAWorkloadSaysHasAClassThatCanBeWrittenAndRead(
      @ForAll("words") String family,
      @ForAll @IntRange(min = 1) int batch,
      @ForAll("words") String precision) {
    Workload workload = Workload.builder(family).batchSize(batch).precision(precision).build();

    WorkloadClass known = WorkloadClass.of(workload);

    assertThat(WorkloadClass.parse(known.toString())).isEqualTo(known);
    assertThat(known.toString()).doesNotContain("|", "\n");
  }

  @Example
  void separatorsInAPrecisionAreReplaced() {
    Workload workload = Workload.builder("BERT").precision("FP;16").build();

    assertThat(WorkloadClass.of(workload)).hasToString("bert;;fp_16");
  }
}
