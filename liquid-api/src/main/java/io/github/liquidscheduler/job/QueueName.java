package io.github.liquidscheduler.job;

import io.github.liquidscheduler.text.Text;

/**
 * The name of the queue (virtual cluster, co-runner key, team) that a job belongs to.
 *
 * @param value the name, not blank
 */
public record QueueName(String value) implements Comparable<QueueName> {

  /** The queue of jobs that name none. */
  public static final QueueName DEFAULT = new QueueName("default");

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if {@code value} is blank or not Unicode
   */
  public QueueName {
    Text.requireName(value, "a queue name");
  }

  /** Returns the queue called {@code value}. */
  public static QueueName of(String value) {
    return new QueueName(value);
  }

  @Override
  public int compareTo(QueueName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
