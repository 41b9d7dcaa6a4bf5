package io.github.liquidscheduler.estimator.interference;

import java.util.List;
import java.util.Optional;

/**
 * Published figures of model families. The host time is an order of magnitude: what one CPU core
 * needs to prepare a sample (decode and augment an image, step an emulator, look up a sentence).
 *
 * @param family the family, in lower-case letters and digits
 * @param hostMilliseconds CPU milliseconds per sample
 * @param defaultBatch samples per iteration where a job does not say
 */
record FamilyFacts(String family, double hostMilliseconds, int defaultBatch) {
  private static final List<FamilyFacts> TABLE =
      List.of(
          new FamilyFacts("resnet18", 0.05, 128),
          new FamilyFacts("resnet50", 10, 64),
          new FamilyFacts("resnet101", 10, 64),
          new FamilyFacts("resnet152", 10, 64),
          new FamilyFacts("alexnet", 10, 128),
          new FamilyFacts("vgg16", 10, 64),
          new FamilyFacts("vgg19", 10, 64),
          new FamilyFacts("inceptionv3", 10, 64),
          new FamilyFacts("mobilenetv2", 10, 128),
          new FamilyFacts("densenet121", 10, 64),
          new FamilyFacts("transformer", 0.05, 64),
          new FamilyFacts("bert", 0.05, 32),
          new FamilyFacts("gpt2", 0.01, 8),
          new FamilyFacts("lm", 0.01, 20),
          new FamilyFacts("lstm", 0.01, 64),
          new FamilyFacts("recommendation", 0.1, 2048),
          new FamilyFacts("neumf", 0.001, 4096),
          new FamilyFacts("cyclegan", 8, 1),
          new FamilyFacts("dcgan", 1, 128),
          new FamilyFacts("a3c", 20, 20),
          new FamilyFacts("ppo", 10, 64));

  /** Returns the figures of a family, named as {@code WorkloadClass} does. */
  static Optional<FamilyFacts> of(String family) {
    return TABLE.stream().filter(facts -> facts.family.equals(family)).findFirst();
  }
}
