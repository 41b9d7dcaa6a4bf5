package io.github.liquidscheduler.elastic;

/**
 * The name of one training process. A process that is started again takes a new name: a name that
 * has left a job never comes back.
 *
 * @param value not blank, at most 256 characters
 */
public record WorkerId(String value) implements Comparable<WorkerId> {

  private static final int LONGEST = 256;

  /** Refuses a blank or longer name. */
  public WorkerId {
    if (value.isBlank()) {
      throw new IllegalArgumentException("The name of a worker must not be blank");
    }
    if (value.length() > LONGEST) {
      throw new IllegalArgumentException(
          "The name of a worker must have at most %d characters, but had %d"
              .formatted(LONGEST, value.length()));
    }
  }

  /** Returns the worker of this name. */
  public static WorkerId of(String value) {
    return new WorkerId(value);
  }

  @Override
  public int compareTo(WorkerId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
