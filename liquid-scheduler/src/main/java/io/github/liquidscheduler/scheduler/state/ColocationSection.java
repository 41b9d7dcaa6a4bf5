package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.monitor.ColocationRecord;
import io.github.liquidscheduler.placement.colocation.monitor.ColocationState;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The knowledge learned from jobs that share GPUs. */
record ColocationSection(Optional<InterferencePredictor> predictor) implements StateSection {

  @Override
  public String name() {
    return "colocations";
  }

  @Override
  public SnapshotSection save(SchedulerState state) {
    ColocationRecord record = state.colocation().orElseThrow().toRecord();
    return SnapshotSection.builder()
        .put("taken", record.taken())
        .list("reports", record.reports(), ColocationSection::report)
        .list("rates", record.rates(), ColocationSection::rate)
        .list("bans", record.bans(), ColocationSection::ban)
        .list("learnedStates", record.learnedStates(), learned -> learned)
        .build();
  }

  @Override
  public void copy(SchedulerState from, SchedulerState to) {
    to.observe(from.colocation().orElseThrow().copy());
  }

  @Override
  public void load(SnapshotSection.Reader in, SchedulerState state) {
    ColocationRecord record =
        new ColocationRecord(
            in.longCount("taken"),
            in.list("reports", SnapshotSection.class, each -> each.read(ColocationSection::report)),
            in.list("rates", SnapshotSection.class, each -> each.read(ColocationSection::rate)),
            in.list("bans", SnapshotSection.class, each -> each.read(ColocationSection::ban)),
            in.list("learnedStates", LearnedState.class, learned -> learned));
    state.observe(ColocationState.restored(record, predictor));
  }

  private static SnapshotSection report(ColocationRecord.Report report) {
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .text("job", report.job())
            .list("coRunners", report.coRunners(), ColocationSection::ids);
    return retained(section, report.retained());
  }

  private static List<String> ids(List<JobId> jobs) {
    return jobs.stream().map(JobId::value).toList();
  }

  private static ColocationRecord.Report report(SnapshotSection.Reader in) {
    return new ColocationRecord.Report(
        in.text("job", JobId::of),
        in.list("coRunners", List.class, ColocationSection::jobs),
        retained(in));
  }

  private static List<JobId> jobs(List<?> ids) {
    return ids.stream().map(id -> JobId.of(id.toString())).toList();
  }

  private static SnapshotSection rate(ColocationRecord.Rate rate) {
    return SnapshotSection.builder()
        .put("workload", rate.workload())
        .text("gpu", rate.gpu())
        .put("gpus", rate.gpus())
        .put("iterationsPerSecond", rate.iterationsPerSecond())
        .put("count", rate.count())
        .build();
  }

  private static ColocationRecord.Rate rate(SnapshotSection.Reader in) {
    return new ColocationRecord.Rate(
        in.value("workload", Workload.class),
        in.text("gpu", GpuModel::of),
        in.count("gpus"),
        in.value("iterationsPerSecond", Double.class),
        in.count("count"));
  }

  private static SnapshotSection ban(ColocationRecord.Ban ban) {
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .put("victim", ban.victim())
            .put("other", ban.other())
            .text("gpu", ban.gpu());
    return retained(section, ban.retained());
  }

  private static ColocationRecord.Ban ban(SnapshotSection.Reader in) {
    return new ColocationRecord.Ban(
        in.value("victim", Workload.class),
        in.value("other", Workload.class),
        in.text("gpu", GpuModel::of),
        retained(in));
  }

  private static SnapshotSection retained(SnapshotSection.Builder in, OptionalDouble retained) {
    retained.ifPresent(part -> in.put("retained", (Object) part));
    return in.build();
  }

  private static OptionalDouble retained(SnapshotSection.Reader in) {
    Optional<Double> retained = in.optional("retained", Double.class);
    return retained.isPresent() ? OptionalDouble.of(retained.get()) : OptionalDouble.empty();
  }
}
