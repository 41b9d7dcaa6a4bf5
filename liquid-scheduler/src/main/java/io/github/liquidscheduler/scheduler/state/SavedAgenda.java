package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.capacity.CoRunnerKind;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: after most events every class is parked and no fact is pending, so that little is saved:
 * the classes that are ready, each named by its first job, and what the last event has left.
 * Invariants: a restored scheduler has equal classes ready, tries them in the same order and stops
 * early at the same job (RecoveryLaws, ShortEventLaws, ShortQueueEventLaws). What classes lack is
 * not saved, so that a class may be tried without success, but no decision changes. Where searches
 * for victims count, what was asked and what is known to fail is saved.
 * Cost: O(waiting classes) to save and load.
 */
/** The agenda in a snapshot. */
final class SavedAgenda {

  private SavedAgenda() {}

  /**
   * Returns the agenda.
   *
   * @param countsSearches whether it matters what is known of jobs that fail
   */
  static SnapshotSection save(JobTable jobs, boolean countsSearches) {
    Agenda agenda = jobs.agenda();
    WaitingClasses classes = jobs.eligible().byClass();
    List<JobEntry> ready = classes.firsts().stream().filter(job -> !classes.isParked(job)).toList();
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .texts("ready", ids(ready.stream()))
            .texts("parked", ids(ready.stream().flatMap(job -> classes.firstParked(job).stream())))
            .texts("later", ids(firstsOf(agenda.later(), classes)));
    if (agenda.nextTry().isPresent() || agenda.laterDelay() > 1) {
      section.text("laterAt", agenda.laterAt()).put("laterDelay", agenda.laterDelay());
    }
    put(section, "due", agenda.isDue());
    agenda.cut().ifPresent(cut -> saveCut(section, cut));
    put(section, "arrivals", agenda.hasArrivals());
    @Nullable JobEntry head = agenda.parkedHead();
    if (head != null && head.equals(jobs.eligible().first())) {
      section.text("parkedHead", head.id());
    }
    saveFacts(section, jobs, countsSearches);
    SavedAttempts.save(section, jobs);
    saveQuotas(section, jobs, countsSearches);
    return section.build();
  }

  private static void saveCut(SnapshotSection.Builder section, Agenda.Cut cut) {
    section.text("cutAt", cut.at()).put("rest", cut.rest().name());
    cut.report()
        .ifPresent(
            report ->
                section.text("report", report.job()).put("speed", report.iterationsPerSecond()));
  }

  private static void put(SnapshotSection.Builder section, String name, boolean holds) {
    if (holds) {
      section.put(name, true);
    }
  }

  private static void saveFacts(
      SnapshotSection.Builder section, JobTable jobs, boolean countsSearches) {
    Agenda agenda = jobs.agenda();
    if (!agenda.hasGrown()) {
      return;
    }
    ClusterTopology topology = jobs.cluster().topology();
    WaitingClasses classes = jobs.eligible().byClass();
    Map<Integer, Long> grown = agenda.grownFromByNode();
    section
        .texts(
            "grown", grown.keySet().stream().map(node -> topology.nodes().get(node).id()).toList())
        .texts("grownAt", grown.values())
        .list("admitted", inOneOrder(agenda.admitted()), SavedAgenda::admitted)
        .put("grownFrom", agenda.grownFrom())
        .put("askedOf", agenda.askedOf())
        .texts(
            "asked",
            ids(
                classes.candidates().stream()
                    .flatMap(job -> classes.firstParked(job).stream())
                    .filter(job -> !classes.mayBeHelped(job))
                    .filter(
                        job -> countsSearches || jobs.quotas().admission().dependsOnOthers(job))));
    put(section, "relearned", agenda.hasRelearned());
  }

  private static void saveQuotas(
      SnapshotSection.Builder section, JobTable jobs, boolean countsSearches) {
    Quotas quotas = jobs.quotas();
    if (!quotas.hasQueueTree()) {
      return;
    }
    put(section, "settled", quotas.areSettled());
    put(section, "changed", quotas.haveChanged());
    put(section, "asCut", quotas.areAsCut());
    section
        .list("reserved", quotas.admission().reserved().entrySet(), SavedAgenda::reserved)
        .texts(
            "failed",
            candidates(
                jobs,
                job ->
                    job.shortage().hasFailedAt(quotas.searchVersion())
                        && (countsSearches || quotas.admission().dependsOnOthers(job))))
        .texts("failedInQueue", candidates(jobs, job -> countsSearches && quotas.failsInQueue(job)))
        .texts("exceeding", candidates(jobs, job -> job.shortage().isExceeding()));
  }

  private static SnapshotSection reserved(Map.Entry<QueueName, Charge> queue) {
    return SnapshotSection.builder()
        .text("queue", queue.getKey())
        .texts("amounts", queue.getValue().toList())
        .build();
  }

  private static List<JobId> candidates(JobTable jobs, Predicate<JobEntry> which) {
    return ids(jobs.eligible().byClass().candidates().stream().filter(which));
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
    boolean areFacts = agenda.hasGrown();
    classes.firsts().forEach(areFacts ? classes::parkBeforeFacts : classes::park);
    jobs(in, "ready", jobs).forEach(job -> classes.wake(job.placementClass()));
    jobs(in, "parked", jobs).forEach(areFacts ? classes::parkBeforeFacts : classes::park);
    // Only classes that were asked have seen the pending facts.
    jobs(in, "asked", jobs).forEach(classes::park);
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
    SavedAttempts.load(in, jobs);
    loadQuotas(in, jobs);
  }

  private static void loadCut(SnapshotSection.Reader in, Instant at, Agenda agenda) {
    Optional<JobId> job = in.optionalText("report", JobId::of);
    agenda.cut(
        new Agenda.Cut(
            at,
            in.optionalText("rest", Agenda.Rest::valueOf).orElse(Agenda.Rest.ALL),
            job.map(id -> new Agenda.Report(id, in.optional("speed", Double.class).orElse(0.0)))));
  }

  private static boolean holds(SnapshotSection.Reader in, String name) {
    return in.optional(name, Boolean.class).orElse(false);
  }

  private static void loadFacts(SnapshotSection.Reader in, JobTable jobs) {
    Optional<Long> from = in.optional("grownFrom", Long.class);
    if (from.isEmpty()) {
      return;
    }
    List<Long> ranks = in.texts("grownAt", Long::valueOf);
    int at = 0;
    for (NodeId node : in.texts("grown", NodeId::of)) {
      if (!jobs.cluster().topology().contains(node)) {
        throw new IllegalArgumentException(
            "a node with grown capacity must be in the cluster, but '" + node + "' is not");
      }
      long rank = ranks.isEmpty() ? from.get() : ranks.get(at++);
      jobs.agenda().growFrom(rank, node, jobs.cluster().topology());
    }
    if (holds(in, "relearned")) {
      jobs.agenda().relearn();
    }
    in.list("admitted", SnapshotSection.class, each -> each.read(kinds -> admit(kinds, jobs)));
    if (!jobs.agenda().hasGrown() || jobs.agenda().grownFrom() > from.get()) {
      jobs.agenda().letOthersPass();
    }
    jobs.agenda().askedUpTo(from.get(), in.optional("askedOf", Long.class).orElse(-1L));
  }

  private static void loadQuotas(SnapshotSection.Reader in, JobTable jobs) {
    Quotas quotas = jobs.quotas();
    if (!quotas.hasQueueTree() || !holds(in, "settled")) {
      return;
    }
    jobs(in, "failed", jobs).forEach(job -> job.shortage().failAt(quotas.searchVersion()));
    jobs(in, "failedInQueue", jobs)
        .forEach(job -> job.shortage().failInQueueAt(job.account().version()));
    jobs(in, "exceeding", jobs).forEach(job -> job.shortage().exceed(true));
    quotas.restoreSettled(holds(in, "changed"));
    if (holds(in, "asCut")) {
      quotas.cut();
    }
    in.list("reserved", SnapshotSection.class, each -> each.read(SavedAgenda::reserved))
        .forEach(quotas.admission()::reserve);
  }

  private static Map<QueueName, Charge> reserved(SnapshotSection.Reader in) {
    return Map.of(in.text("queue", QueueName::of), Charge.of(in.texts("amounts", Long::valueOf)));
  }

  /** Returns the jobs of a list of ids. */
  static List<JobEntry> jobs(SnapshotSection.Reader in, String name, JobTable all) {
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
