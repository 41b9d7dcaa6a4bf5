package io.github.liquidscheduler.simulator;

/**
 * The work of a job and how far it really is. Work is counted in nanoseconds at rate 1, times in
 * nanoseconds since the start of the trace. Within a run, that is from a start to the stop after
 * it, the rate changes with the co-runners that the job has on its GPUs. Mutable.
 */
final class JobWork {
  private final long total;
  private long done;
  private long doneBefore;
  private long saved;
  private double rateAlone;
  private double retained;
  private long worksFrom;
  private long rateSince;
  private long active;

  /** Takes how many nanoseconds all of it takes at rate 1. */
  JobWork(long total) {
    this.total = total;
  }

  /** Returns the whole work in nanoseconds at rate 1. */
  long total() {
    return total;
  }

  /** Returns the start of the work in this run. */
  long worksFrom() {
    return worksFrom;
  }

  /** Returns the time since which, or from which, the present rate holds. */
  long rateSince() {
    return rateSince;
  }

  /** Returns its present rate: that of the placement, times the retained speed. */
  double rate() {
    return rateAlone * retained;
  }

  /** Returns the part of it that is done at a time at which it is being done, from 0 to 1. */
  double part(long now) {
    return total == 0 ? 1 : Math.min(1, (double) doneAt(now) / total);
  }

  /** Lets it be done from {@code worksFrom} on, alone. */
  void start(double rateAlone, long worksFrom) {
    this.rateAlone = rateAlone;
    this.worksFrom = worksFrom;
    retained = 1;
    rateSince = worksFrom;
    doneBefore = done;
    saved = done;
  }

  /** Returns the nanoseconds of work until it last was booked. */
  long active() {
    return active;
  }

  /** Lets it be done from {@code worksFrom} on, which was not known at the start. */
  void begin(long worksFrom) {
    this.worksFrom = worksFrom;
    rateSince = worksFrom;
  }

  /** Lets it rest from {@code now} until {@code end}; {@code interval} as for {@link #settle}. */
  void pause(long now, long end, long interval) {
    settle(now, interval);
    rateSince = Math.max(rateSince, end);
  }

  /** Changes the rate of the placement; returns the nanoseconds of this run at the rate before. */
  long resize(double rateAlone, long now, long interval) {
    settle(now, interval);
    long kept = kept();
    doneBefore = done;
    this.rateAlone = rateAlone;
    return kept;
  }

  /** Changes the retained speed from {@code now} on; {@code interval} as for {@link #settle}. */
  void retain(double retained, long now, long interval) {
    settle(now, interval);
    this.retained = retained;
  }

  /**
   * Books what was done at the present rate; checkpoints are {@code interval} nanoseconds of work
   * apart, 0 for one at every moment.
   */
  void settle(long now, long interval) {
    if (now <= rateSince) {
      return;
    }
    if (interval > 0) {
      long lastCheckpoint = now - (now - worksFrom) % interval;
      saved = lastCheckpoint >= rateSince ? doneAt(lastCheckpoint) : saved;
    }
    done = doneAt(now);
    active += now - rateSince;
    rateSince = now;
  }

  /** Loses what was done since the last checkpoint of this run. */
  void fallBack() {
    done = saved;
  }

  void finish(long now) {
    active += Math.max(0, now - rateSince);
    done = total;
  }

  /** Returns its end without further changes; never if its start is unknown. */
  long end() {
    if (rateSince == SimulatedJob.NEVER) {
      return SimulatedJob.NEVER;
    }
    long left = total - done;
    return VirtualTime.after(rateSince, rate() == 1 ? left : (long) Math.ceil(left / rate()));
  }

  /** Returns the nanoseconds for which this run got on, at the speed alone. */
  long kept() {
    return rateAlone == 1 ? done - doneBefore : Math.round((done - doneBefore) / rateAlone);
  }

  private long doneAt(long time) {
    long worked = Math.max(0, time - rateSince);
    return Math.min(total, done + (rate() == 1 ? worked : (long) Math.floor(worked * rate())));
  }
}
