package io.github.liquidscheduler.estimator.task.prior;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.liquidscheduler.estimator.task.TaskProfile;
import io.github.liquidscheduler.job.Workload;
import org.junit.jupiter.api.Test;

class MemoryPriorTest {
  private static final double GIBIBYTE = 1L << 30;

  @Test
  void adamKeepsSixteenBytesPerParameter() {
    MemoryParts parts = facts(aTask("gpt2xl", "fp32").hyperparameter("optimizer", "adam"));

    double state = parts.weights() + parts.gradients() + parts.optimizerState();
    assertThat(state).isCloseTo(16 * 1557.6e6, withinPercentage(0.1));
  }

  @Test
  void mixedPrecisionKeepsAsMuchStateAndHalfTheActivations() {
    MemoryParts full = facts(aTask("vitl16", "fp32"));
    MemoryParts mixed = facts(aTask("vitl16", "bf16"));

    assertThat(mixed.needed() - mixed.activations())
        .isCloseTo(full.needed() - full.activations(), withinPercentage(0.1));
    assertThat(mixed.activations()).isCloseTo(full.activations() / 2, withinPercentage(0.1));
  }

  @Test
  void attentionThatIsNotFusedGrowsWithTheSquareOfTheSequence() {
    double longer = facts(aTask("bertbase", "").hyperparameter("sequence_length", "512")).needed();
    double shorter = facts(aTask("bertbase", "").hyperparameter("sequence_length", "256")).needed();
    double fused =
        facts(
                aTask("bertbase", "")
                    .hyperparameter("sequence_length", "512")
                    .hyperparameter("attention", "flash"))
            .needed();

    double state = 16 * 109.5e6;
    assertThat((longer - state) / (shorter - state)).isBetween(2.4, 4.0);
    assertThat(fused).isLessThan(longer);
  }

  @Test
  void adaptersHaveNoStateForWhatTheyLeaveAlone() {
    MemoryParts parts = facts(aTask("llama7b", "bf16").hyperparameter("lora_rank", "16"));

    assertThat(parts.weights()).isCloseTo(2 * 6.7384e9, withinPercentage(1));
    assertThat(parts.gradients() + parts.optimizerState()).isLessThan(0.2 * GIBIBYTE);
  }

  @Test
  void fourBitsMakeAQuarterOfTheWeights() {
    double half = facts(aTask("llama7b", "bf16").hyperparameter("mode", "inference")).weights();
    double quarter = facts(aTask("llama7b", "nf4").hyperparameter("mode", "inference")).weights();

    assertThat(quarter / half).isBetween(0.25, 0.3);
  }

  @Test
  void checkpointingKeepsLittleMoreThanTheInputsOfLayers() {
    double all = facts(aTask("llama7b", "bf16")).activations();
    double few =
        facts(aTask("llama7b", "bf16").hyperparameter("gradient_checkpointing", "true"))
            .activations();

    assertThat(few).isLessThan(0.3 * all);
  }

  @Test
  void theThirdStageOfZeroDividesAllState() {
    Workload.Builder workload = aTask("llama7b", "bf16").hyperparameter("zero_stage", "3");
    TaskProfile eight = TaskProfile.builder(workload.build()).gpusPerTask(1).tasks(8, 0).build();

    MemoryParts parts = new TaskFacts(eight).memoryParts();

    assertThat(parts.weights() + parts.gradients() + parts.optimizerState())
        .isCloseTo(16 * 6.7384e9 / 8, withinPercentage(0.1));
  }

  @Test
  void tensorParallelismDividesWeightsAndSevenTenthsOfTheActivations() {
    MemoryParts alone = facts(aTask("vitl16", "bf16"));
    MemoryParts shard = facts(aTask("vitl16", "bf16").hyperparameter("tensor_parallel", "2"));

    assertThat(shard.weights()).isCloseTo(alone.weights() / 2, withinPercentage(0.1));
    assertThat(shard.activations()).isCloseTo(alone.activations() * 0.65, withinPercentage(0.1));
  }

  @Test
  void aServerTakesMostOfItsDeviceAtOnce() {
    Workload workload =
        Workload.builder("mistral7b").framework("vllm").precision("bf16").batchSize(1).build();
    TaskFacts facts = new TaskFacts(TaskProfile.builder(workload).gpu("H100").build());

    assertThat(facts.priorMemory()).isCloseTo(0.9 * 80 * GIBIBYTE, withinPercentage(0.1));
    assertThat(facts.memoryParts().cache()).isPositive();
    assertThat(facts.memoryParts().gradients()).isZero();
  }

  @Test
  void aModelThatIsTooLargeForAGpuIsNotLimitedToIt() {
    Workload workload = Workload.builder("Llama-3-70B").framework("vllm").precision("bf16").build();
    TaskFacts facts = new TaskFacts(TaskProfile.builder(workload).gpu("H100").build());

    assertThat(facts.leastMemory(1)).isGreaterThan(130 * GIBIBYTE);
  }

  @Test
  void whatIsNotStatedMakesTheRangeWider() {
    TaskFacts silent = new TaskFacts(TaskProfile.builder(aTask("gpt2xl", "").build()).build());
    TaskFacts spoken =
        new TaskFacts(
            TaskProfile.builder(
                    aTask("gpt2xl", "fp32")
                        .hyperparameter("sequence_length", "1024")
                        .hyperparameter("attention", "eager")
                        .hyperparameter("gradient_checkpointing", "false")
                        .hyperparameter("optimizer", "adam")
                        .build())
                .build());

    assertThat(silent.leastMemory(1)).isLessThan(0.8 * silent.priorMemory());
    assertThat(spoken.leastMemory(1)).isEqualTo(spoken.priorMemory());
    assertThat(spoken.mostMemory(1)).isEqualTo(spoken.priorMemory());
  }

  private static MemoryParts facts(Workload.Builder workload) {
    return new TaskFacts(TaskProfile.builder(workload.build()).build()).memoryParts();
  }

  private static Workload.Builder aTask(String family, String precision) {
    Workload.Builder workload = Workload.builder(family).framework("pytorch").batchSize(4);
    return precision.isEmpty() ? workload : workload.precision(precision);
  }
}
