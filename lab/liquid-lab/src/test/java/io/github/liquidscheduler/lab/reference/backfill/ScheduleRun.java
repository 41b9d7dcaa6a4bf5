package io.github.liquidscheduler.lab.reference.backfill;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.timeline.BackfillSchedule;
import io.github.liquidscheduler.placement.timeline.Reservation;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.placement.timeline.Timeline;
import io.github.liquidscheduler.placement.timeline.WaitingJob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Runs the jobs of a case to their end, second by second. */
final class ScheduleRun {

  private final BackfillCase scenario;
  private final BackfillSchedule<Integer, GpusOnNodes> schedule;
  private final BackfillRule rule;
  private final List<BackfillCase.Job> waiting = new ArrayList<>();
  private final List<Running> running = new ArrayList<>();
  private final List<List<Reservation<GpusOnNodes>>> history = new ArrayList<>();
  private final Map<JobId, StartedJob<GpusOnNodes>> started = new LinkedHashMap<>();

  /** A job that runs, and when it is predicted to end. */
  private record Running(BackfillCase.Job job, long start, long predictedEnd) {

    JobId id() {
      return job.waiting().id();
    }

    long end() {
      return start + job.duration();
    }

    Running overrun(long now) {
      return predictedEnd == now ? new Running(job, start, start + 2 * (now - start)) : this;
    }
  }

  ScheduleRun(BackfillCase scenario, Timeline<Integer, GpusOnNodes> timeline, BackfillRule rule) {
    this.scenario = scenario;
    this.rule = rule;
    schedule = new BackfillSchedule<>(timeline);
  }

  /** Returns how each job started, in the order of their starts. */
  Map<JobId, StartedJob<GpusOnNodes>> starts() {
    for (long now = 0; started.size() < scenario.jobs().size(); now++) {
      boolean happens = BackfillRule.nextStart(schedule).equals(OptionalLong.of(now));
      happens |= end(now);
      happens |= overrun(now);
      happens |= arrive(now);
      if (happens) {
        pass(now);
      }
    }
    return started;
  }

  /** Returns the reservations after each pass. */
  List<List<Reservation<GpusOnNodes>>> history() {
    return history;
  }

  private boolean end(long now) {
    running.stream().filter(job -> job.end() == now).forEach(job -> schedule.ended(job.id(), now));
    return running.removeIf(job -> job.end() == now);
  }

  private boolean overrun(long now) {
    boolean isAny = running.stream().anyMatch(job -> job.predictedEnd() == now);
    running.replaceAll(job -> job.overrun(now));
    running.forEach(job -> schedule.predictedEnd(job.id(), job.predictedEnd()));
    return isAny;
  }

  private boolean arrive(long now) {
    return scenario.jobs().stream()
        .filter(job -> job.submit() == now)
        .map(waiting::add)
        .reduce(false, Boolean::logicalOr);
  }

  private void pass(long now) {
    List<WaitingJob<Integer>> queue = waiting.stream().map(BackfillCase.Job::waiting).toList();
    for (StartedJob<GpusOnNodes> start : rule.pass(schedule, now, queue)) {
      started.put(start.job(), start);
      TimeWindow window = start.slot().window();
      waiting.stream()
          .filter(job -> job.waiting().id().equals(start.job()))
          .forEach(job -> running.add(new Running(job, window.start(), window.end())));
      waiting.removeIf(job -> job.waiting().id().equals(start.job()));
    }
    history.add(schedule.reservations());
  }
}
