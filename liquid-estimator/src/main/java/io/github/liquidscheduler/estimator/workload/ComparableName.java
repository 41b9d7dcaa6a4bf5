package io.github.liquidscheduler.estimator.workload;

/** Names of models, data sets and GPU models as they are compared. */
public final class ComparableName {
  private ComparableName() {}

  /**
   * Returns a name without case and punctuation, so that {@code ResNet-50} and {@code resnet_50}
   * are the same: its letters and digits, in lower case.
   */
  public static String of(String name) {
    StringBuilder letters = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char letter = Character.toLowerCase(name.charAt(i));
      if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) {
        letters.append(letter);
      }
    }
    return letters.toString();
  }
}
