package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: after most events every class is parked and no fact is pending, so that little is saved:
 * the classes that are ready, each named by its first job, and what the last event has left.
 * Invariants: a restored scheduler has equal classes ready, tries them in the same order and stops
 * early at the same job (RecoveryLaws, ShortQueueEventLaws). Growth on nodes and what classes lack
 * are saved without amounts, so that a class may be tried without success, but no decision changes.
 * Where searches for victims count, the classes that were asked are saved.
 * Cost: O(waiting classes) to save and load.
 */
/** The agenda in a snapshot. */
final class SavedAgenda {

  private SavedAgenda() {}

  static SnapshotSection save(JobTable jobs) {
    Agenda agenda = jobs.agenda();
    WaitingClasses classes = jobs.eligible().byClass();
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .texts("ready", ids(classes.firsts().stream().filter(job -> !classes.isParked(job))))
            .texts("later", ids(firstsOf(agenda.later(), classes)));
    if (agenda.nextTry().isPresent() || agenda.laterDelay() > 1) {
      section.text("laterAt", agenda.laterAt()).put("laterDelay", agenda.laterDelay());
    }
    put(section, "due", agenda.isDue());
    agenda.cutAt().ifPresent(at -> section.text("cutAt", at));
    if (agenda.isCut()) {
      section.put("rest", agenda.rest().name());
      agenda
          .report()
          .ifPresent(
              report ->
                  section.text("report", report.job()).put("speed", report.iterationsPerSecond()));
    }
    put(section, "arrivals", agenda.hasArrivals());
    @Nullable JobEntry head = agenda.parkedHead();
    if (head != null && head.equals(jobs.eligible().first())) {
      section.text("parkedHead", head.id());
    }
    saveFacts(section, jobs);
    saveQuotas(section, jobs);
    return section.build();
  }

  private static void put(SnapshotSection.Builder section, String name, boolean holds) {
    if (holds) {
      section.put(name, true);
    }
  }

  private static void saveFacts(SnapshotSection.Builder section, JobTable jobs) {
    Agenda agenda = jobs.agenda();
    if (!agenda.hasGrown()) {
      return;
    }
    ClusterTopology topology = jobs.cluster().topology();
    WaitingClasses classes = jobs.eligible().byClass();
    section
        .texts(
            "grown",
            agenda.grownNodes().stream().mapToObj(node -> topology.nodes().get(node).id()).toList())
        .list("admitted", inOneOrder(agenda.admitted()), SavedAgenda::admitted)
        .put("grownFrom", agenda.grownFrom())
        .put("askedOf", agenda.askedOf())
        .texts(
            "asked",
            ids(
                classes.candidates().stream()
                    .filter(job -> classes.isParked(job) && !classes.mayBeHelped(job))
                    .filter(jobs.quotas().admission()::dependsOnOthers)));
    put(section, "relearned", agenda.hasRelearned());
  }

  private static void saveQuotas(SnapshotSection.Builder section, JobTable jobs) {
    Quotas quotas = jobs.quotas();
    if (!quotas.hasQueueTree()) {
      return;
    }
    WaitingClasses classes = jobs.eligible().byClass();
    put(section, "settled", quotas.areSettled());
    put(section, "changed", quotas.haveChanged());
    put(section, "asCut", quotas.areAsCut());
    section
        .texts(
            "failed",
            ids(
                classes.candidates().stream()
                    .filter(
                        job ->
                            job.shortage().hasFailedAt(quotas.searchVersion())
                                && quotas.admission().dependsOnOthers(job))))
        .texts(
            "exceeding",
            ids(classes.candidates().stream().filter(job -> job.shortage().isExceeding())));
  }

  private static List<JobId> ids(Stream<JobEntry> jobs) {
    return jobs.map(JobEntry::id).sorted().toList();
  }

  private static Stream<JobEntry> firstsOf(Set<PlacementClass> some, WaitingClasses classes) {
    return some.stream().map(classes::first).flatMap(Optional::stream);
  }

  /** Returns kinds in an order independent of their arrival. */
  private static List<CoRunnerKind> inOneOrder(Set<CoRunnerKind> kinds) {
    return kinds.stream().sorted(Comparator.comparing(CoRunnerKind::toString)).toList();
  }

  private static List<Map.Entry<CoRunnerKind, Set<CoRunnerKind>>> inOneOrder(
      Map<CoRunnerKind, Set<CoRunnerKind>> kinds) {
    return kinds.entrySet().stream()
        .sorted(Comparator.comparing(each -> each.getKey().toString()))
        .toList();
  }

  private static SnapshotSection admitted(Map.Entry<CoRunnerKind, Set<CoRunnerKind>> waiting) {
    return SnapshotSection.builder()
        .put("waiting", kind(waiting.getKey()))
        .list("beside", inOneOrder(waiting.getValue()), SavedAgenda::kind)
        .build();
  }

  private static SnapshotSection kind(CoRunnerKind kind) {
    SnapshotSection.Builder section = SnapshotSection.builder().put("workload", kind.workload());
    switch (kind.sharing()) {
      case Sharing.Guaranteed promised -> section.put("floor", (Object) promised.floor());
      case Sharing.Opportunistic any -> {}
      case Sharing.Exclusive alone -> section.put("exclusive", true);
    }
    return section.build();
  }

  static void load(SnapshotSection.Reader in, JobTable jobs) {
    Agenda agenda = jobs.agenda();
    WaitingClasses classes = jobs.eligible().byClass();
    agenda.settle();
    loadFacts(in, jobs);
    parkAll(in, jobs);
    jobs(in, "ready", jobs).forEach(job -> classes.wake(job.placementClass()));
    jobs(in, "later", jobs).forEach(job -> agenda.tryLater(job.placementClass(), jobs.now()));
    in.optionalText("laterAt", Instant::parse)
        .ifPresent(at -> agenda.restoreLater(at, in.longCount("laterDelay")));
    agenda.parkHead(in.optionalText("parkedHead", JobId::of).map(jobs::find).orElse(null));
    if (holds(in, "arrivals")) {
      agenda.noteArrivals();
    }
    if (holds(in, "due")) {
      agenda.lookAgain();
    }
    in.optionalText("cutAt", Instant::parse).ifPresent(at -> loadCut(in, at, agenda));
    loadQuotas(in, jobs);
  }

  private static void loadCut(SnapshotSection.Reader in, Instant at, Agenda agenda) {
    Optional<JobId> job = in.optionalText("report", JobId::of);
    agenda.cut(
        at,
        in.optionalText("rest", Agenda.Rest::valueOf).orElse(Agenda.Rest.ALL),
        job.map(id -> new Agenda.Report(id, in.optional("speed", Double.class).orElse(0.0)))
            .orElse(null));
  }

  private static boolean holds(SnapshotSection.Reader in, String name) {
    return in.optional(name, Boolean.class).orElse(false);
  }

  private static void loadFacts(SnapshotSection.Reader in, JobTable jobs) {
    Optional<Long> from = in.optional("grownFrom", Long.class);
    if (from.isEmpty()) {
      return;
    }
    for (NodeId node : in.texts("grown", NodeId::of)) {
      if (!jobs.cluster().topology().contains(node)) {
        throw new IllegalArgumentException(
            "a node with grown capacity must be in the cluster, but '" + node + "' is not");
      }
      jobs.agenda().growFrom(from.get(), node, jobs.cluster().topology());
    }
    if (holds(in, "relearned")) {
      jobs.agenda().relearn();
    }
    in.list("admitted", SnapshotSection.class, each -> each.read(kinds -> admit(kinds, jobs)));
    if (!jobs.agenda().hasGrown()) {
      jobs.agenda().letOthersPass();
    }
    jobs.agenda().askedUpTo(from.get(), in.optional("askedOf", Long.class).orElse(-1L));
  }

  /** Parks every class; only those that were asked have seen the pending facts. */
  private static void parkAll(SnapshotSection.Reader in, JobTable jobs) {
    WaitingClasses classes = jobs.eligible().byClass();
    if (jobs.agenda().hasGrown()) {
      classes.parkBeforeFacts();
      jobs(in, "asked", jobs).forEach(classes::park);
    } else {
      classes.firsts().forEach(classes::park);
    }
  }

  private static void loadQuotas(SnapshotSection.Reader in, JobTable jobs) {
    Quotas quotas = jobs.quotas();
    if (!quotas.hasQueueTree() || !holds(in, "settled")) {
      return;
    }
    jobs(in, "failed", jobs).forEach(quotas::noteFailure);
    jobs(in, "exceeding", jobs).forEach(job -> job.shortage().exceed(true));
    quotas.restoreSettled(holds(in, "changed"));
    if (holds(in, "asCut")) {
      quotas.cut();
    }
  }

  private static List<JobEntry> jobs(SnapshotSection.Reader in, String name, JobTable all) {
    return in.texts(name, JobId::of).stream().map(id -> job(id, all)).toList();
  }

  private static JobEntry job(JobId id, JobTable all) {
    @Nullable JobEntry job = all.find(id);
    if (job == null) {
      throw new IllegalArgumentException(
          "a job on the agenda must wait or run, but '" + id + "' does neither");
    }
    return job;
  }

  private static boolean admit(SnapshotSection.Reader in, JobTable jobs) {
    CoRunnerKind waiting = in.value("waiting", SnapshotSection.class).read(SavedAgenda::kind);
    jobs.agenda()
        .admitBeside(
            waiting,
            new LinkedHashSet<>(
                in.list("beside", SnapshotSection.class, each -> each.read(SavedAgenda::kind))));
    return true;
  }

  private static CoRunnerKind kind(SnapshotSection.Reader in) {
    Workload workload = in.value("workload", Workload.class);
    Optional<Double> floor = in.optional("floor", Double.class);
    boolean isExclusive = in.optional("exclusive", Boolean.class).orElse(false);
    Sharing other = isExclusive ? new Sharing.Exclusive() : new Sharing.Opportunistic();
    return new CoRunnerKind(workload, floor.<Sharing>map(Sharing.Guaranteed::new).orElse(other));
  }
}
