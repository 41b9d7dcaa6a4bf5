package io.github.liquidscheduler.rounds.planner.switching;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The models whose switching times are published (Hare, HPDC'22, table 3), in milliseconds. */
public enum PublishedModel {
  /** Images, batches of 128. */
  VGG19("VGG19", 3288.94, 4.01, 2.77),
  /** Images, batches of 64. */
  RESNET50("ResNet50", 5961.16, 4.75, 2.04),
  /** Images, batches of 32. */
  INCEPTION_V3("InceptionV3", 7807.43, 5.03, 2.46),
  /** Language, batches of 32. */
  BERT_BASE("Bert_base", 9016.99, 12.57, 5.03),
  /** Language, batches of 128. */
  TRANSFORMER("Transformer", 5257.17, 10.34, 5.79),
  /** Speech, batches of 8. */
  DEEP_SPEECH("DeepSpeech", 5125.64, 8.91, 4.27),
  /** Graphs, batches of 128. */
  FAST_GCN("FastGCN", 5327.24, 2.86, 1.83),
  /** Graphs, batches of 16. */
  GRAPH_SAGE("GraphSAGE", 5213.54, 2.42, 0.96);

  private static final double MILLIS_PER_SECOND = 1000;

  private final String name;
  private final double restarted;
  private final double pipelined;
  private final double resident;

  PublishedModel(String name, double restarted, double pipelined, double resident) {
    this.name = name;
    this.restarted = restarted;
    this.pipelined = pipelined;
    this.resident = resident;
  }

  /**
   * Returns the model of a name, as the paper writes it.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static PublishedModel named(String name) {
    for (PublishedModel model : values()) {
      if (model.name.equals(name)) {
        return model;
      }
    }
    throw new IllegalArgumentException(
        "a model must be one of %s, but was '%s'".formatted(names(), name));
  }

  private static String names() {
    return Arrays.stream(values()).map(PublishedModel::toString).collect(Collectors.joining(", "));
  }

  /**
   * Returns how long a GPU takes to switch to a task of this model, in seconds. What is published
   * for Hare is an average over models that were still in memory and others, of unknown parts; here
   * it is the time of the first, and the others take the time of PipeSwitch. So switching is
   * overestimated rather than underestimated.
   *
   * @param isResident whether the model is still in memory; only Hare makes use of it
   */
  public double seconds(SwitchingTechnique technique, boolean isResident) {
    double millis =
        switch (technique) {
          case DEFAULT -> restarted;
          case PIPESWITCH -> pipelined;
          case HARE -> isResident ? resident : pipelined;
        };
    return millis / MILLIS_PER_SECOND;
  }

  @Override
  public String toString() {
    return name;
  }
}
