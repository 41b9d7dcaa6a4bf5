package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.slurm.trial.PrivateSlurm;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * A kill of the controller, which forgets what it has not saved.
 *
 * @param nanoTime when it came, by {@link System#nanoTime}
 * @param at when it came
 * @param unseenFrom what has happened since then the daemon may not have seen before the kill
 */
record ControllerKill(long nanoTime, Instant at, Instant unseenFrom) {

  /** The controller saves its state every five seconds. */
  private static final Duration FORGOTTEN = Duration.ofSeconds(7);

  /** A node goes on to launch what it was told to before the kill. */
  private static final Duration LAUNCHED = Duration.ofSeconds(3);

  /** A look of the daemon runs so many commands. */
  private static final int COMMANDS = 6;

  /** Kills the controller, and returns when that was. */
  static ControllerKill of(PrivateSlurm slurm) {
    Duration unseen = betweenLooks(slurm);
    Instant now = Instant.now();
    ControllerKill kill = new ControllerKill(System.nanoTime(), now, now.minus(unseen));
    slurm.killController();
    return kill;
  }

  /** The daemon looks again after a second, or after four times as long as a look took. */
  private static Duration betweenLooks(PrivateSlurm slurm) {
    long start = System.nanoTime();
    try {
      slurm.run("squeue", "--noheader");
    } catch (IOException e) {
      return FORGOTTEN;
    }
    Duration look = Duration.ofNanos(System.nanoTime() - start).multipliedBy(COMMANDS);
    return look.multipliedBy(5).plus(Duration.ofSeconds(1));
  }

  /** Returns true if the controller may have forgotten what came at a time of the stopwatch. */
  boolean mayForget(long nanoTime) {
    return Math.abs(nanoTime - this.nanoTime) < FORGOTTEN.toNanos();
  }

  /**
   * Returns true if nobody can know of the end of a run: the controller may have forgotten that it
   * has begun, or that it has ended, and the daemon may not have seen the end before.
   */
  boolean mayHide(Instant begun, Instant ended) {
    boolean isBeginForgotten =
        begun.isAfter(at.minus(FORGOTTEN)) && begun.isBefore(at.plus(LAUNCHED));
    return ended.isAfter(unseenFrom) && (isBeginForgotten || ended.isBefore(at));
  }
}
