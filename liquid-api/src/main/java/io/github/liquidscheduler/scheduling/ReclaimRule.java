package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;

/** The rule by which a queue takes back what another one holds. */
public enum ReclaimRule {
  /** The other holds more than is due to it when all that there is is divided. */
  COMPUTED_SHARE("queue '%s' holds more than is due to it, and '%s' takes it back for %s"),
  /** The other borrows, and the queue takes back what is its own. */
  OWN_QUOTA("queue '%s' borrows what is guaranteed to '%s', which takes it back for %s"),
  /** The other borrows for a job of low priority, and the queue borrows instead. */
  WHILE_BORROWING("queue '%s' borrows for a job of low priority, and '%s' borrows instead for %s"),
  /** The other borrows more for its weight. */
  DOMINANT_SHARE("queue '%s' borrows more for its weight than '%s', which takes some for %s");

  private final String sentence;

  ReclaimRule(String sentence) {
    this.sentence = sentence;
  }

  /** Returns the rule as a sentence for people, without a full stop. */
  String describe(QueueName from, QueueName by, JobId winner) {
    return sentence.formatted(from, by, winner);
  }
}
