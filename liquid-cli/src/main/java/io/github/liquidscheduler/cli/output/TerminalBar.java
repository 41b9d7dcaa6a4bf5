package io.github.liquidscheduler.cli.output;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/** A progress bar; shown on a terminal only. */
public final class TerminalBar implements AutoCloseable {

  /** Set by the launcher if the error stream is a terminal. */
  private static final String TERMINAL = "liquid.terminal";

  private final @Nullable ProgressBar bar;

  private TerminalBar(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  /** Returns a bar of a named task, which counts in a unit whose name begins with a space. */
  public static TerminalBar of(String task, String unit) {
    return new TerminalBar(
        Boolean.getBoolean(TERMINAL)
            ? new ProgressBarBuilder()
                .setTaskName(task)
                .setUnit(unit, 1)
                .clearDisplayOnFinish()
                .build()
            : null);
  }

  /** Shows how many are done, of how many. */
  public void progress(long done, long of) {
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
