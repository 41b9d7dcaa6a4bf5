package io.github.liquidscheduler.cli;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/** Shows people at a terminal how far something long has come; elsewhere it shows nothing. */
final class TerminalBar implements AutoCloseable {

  /** Set by the launcher if the error stream is a terminal. */
  private static final String TERMINAL = "liquid.terminal";

  private final @Nullable ProgressBar bar;

  private TerminalBar(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  /**
   * Returns a bar.
   *
   * @param task what is done
   * @param unit of what there are many, with a space before it
   */
  static TerminalBar of(String task, String unit) {
    return new TerminalBar(
        Boolean.getBoolean(TERMINAL)
            ? new ProgressBarBuilder()
                .setTaskName(task)
                .setUnit(unit, 1)
                .clearDisplayOnFinish()
                .build()
            : null);
  }

  /** Says how many are done, of how many. */
  void stand(long done, long of) {
    if (bar != null) {
      bar.maxHint(of);
      bar.stepTo(done);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
