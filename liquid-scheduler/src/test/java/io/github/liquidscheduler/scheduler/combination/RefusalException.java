package io.github.liquidscheduler.scheduler.combination;

/** The builder, or the scheduler when queues are announced, refuses a combination of features. */
final class RefusalException extends RuntimeException {

  private static final long serialVersionUID = 1;

  RefusalException(RuntimeException cause) {
    super(cause.getMessage(), cause);
  }
}
