package io.github.liquidscheduler.runtime;

import java.util.function.Consumer;

/**
 * Tells somebody of failures; if that fails too, the thread's uncaught exception handler, which is
 * also the default. So no failure goes without a word, and none reaches the loop.
 */
record FailureReport(Consumer<Throwable> told) implements Consumer<Throwable> {

  static final FailureReport TO_THE_THREAD = new FailureReport(FailureReport::tellTheThread);

  private static void tellTheThread(Throwable failure) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
  }

  @Override
  public void accept(Throwable failure) {
    try {
      told.accept(failure);
    } catch (RuntimeException unheard) {
      if (!unheard.equals(failure)) {
        failure.addSuppressed(unheard);
      }
      tellTheThread(failure);
    }
  }
}
