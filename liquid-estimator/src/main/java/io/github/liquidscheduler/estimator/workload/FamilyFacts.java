package io.github.liquidscheduler.estimator.workload;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Published figures of model families. The host time is an order of magnitude: what one CPU core
 * needs to prepare a sample (decode and augment an image, step an emulator, look up a sentence).
 *
 * @param family the family, in lower-case letters and digits
 * @param hostMilliseconds CPU milliseconds per sample
 * @param defaultBatch samples per iteration where a job does not say
 * @param processes how many processes of a job use the GPU
 */
record FamilyFacts(String family, double hostMilliseconds, int defaultBatch, int processes) {
  private static final List<FamilyFacts> TABLE =
      List.of(
          new FamilyFacts("resnet18", 0.05, 128, 1),
          new FamilyFacts("resnet50", 10, 64, 1),
          new FamilyFacts("resnet101", 10, 64, 1),
          new FamilyFacts("resnet152", 10, 64, 1),
          new FamilyFacts("alexnet", 10, 128, 1),
          new FamilyFacts("vgg16", 10, 64, 1),
          new FamilyFacts("vgg19", 10, 64, 1),
          new FamilyFacts("inceptionv3", 10, 64, 1),
          new FamilyFacts("mobilenetv2", 10, 128, 1),
          new FamilyFacts("densenet121", 10, 64, 1),
          new FamilyFacts("transformer", 0.05, 64, 1),
          new FamilyFacts("bert", 0.05, 32, 1),
          new FamilyFacts("gpt2", 0.01, 8, 1),
          new FamilyFacts("lm", 0.01, 20, 1),
          new FamilyFacts("lstm", 0.01, 64, 1),
          new FamilyFacts("recommendation", 0.1, 2048, 1),
          new FamilyFacts("neumf", 0.001, 4096, 1),
          new FamilyFacts("cyclegan", 8, 1, 1),
          new FamilyFacts("vae", 0.01, 100, 1),
          new FamilyFacts("dcgan", 1, 128, 1),
          new FamilyFacts("a3c", 20, 20, 4),
          new FamilyFacts("ppo", 10, 64, 1));

  /**
   * Returns the figures of a family, named as {@code WorkloadClass} does; a variant, whose name
   * begins with a family's, has those of that family.
   */
  static Optional<FamilyFacts> of(String family) {
    return TABLE.stream()
        .filter(facts -> family.startsWith(facts.family))
        .max(Comparator.comparingInt(facts -> facts.family.length()));
  }

  /** Returns the samples per iteration of a class, 1 if nothing is known. */
  static double batch(WorkloadClass workload) {
    return workload
        .batchSize()
        .orElseGet(() -> of(workload.family()).map(FamilyFacts::defaultBatch).orElse(1));
  }
}
