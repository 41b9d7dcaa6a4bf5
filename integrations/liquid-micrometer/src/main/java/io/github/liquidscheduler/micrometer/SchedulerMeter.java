package io.github.liquidscheduler.micrometer;

import java.util.List;

/** The meters, each with what the documentation says about it. */
enum SchedulerMeter {
  TURN_LATENCY(
      "liquid.turn.latency",
      Kind.TIMER,
      List.of("event"),
      "from the report of an event to its decisions, by kind of event"),
  TURN_DECIDING(
      "liquid.turn.deciding",
      Kind.TIMER,
      List.of("event"),
      "the part of it in which the scheduler decides"),
  EVENTS_QUEUED("liquid.events.queued", Kind.GAUGE, List.of(), "events reported and not taken yet"),
  EVENTS_REFUSED(
      "liquid.events.refused",
      Kind.COUNTER,
      List.of("event", "cause"),
      "events that the scheduler refused: `stale`, `invalid`, or `plugin` for a failed part"),
  EVENTS_SUPERSEDED(
      "liquid.events.superseded",
      Kind.COUNTER,
      List.of(),
      "reports not taken because later ones say all that they say"),
  DECISIONS(
      "liquid.decisions", Kind.COUNTER, List.of("decision"), "decisions, by kind of decision"),
  PREEMPTIONS(
      "liquid.preemptions",
      Kind.COUNTER,
      List.of("rule"),
      "jobs stopped or moved, by the rule that asked for it"),
  HANDLER_FAILURES(
      "liquid.handler.failures",
      Kind.COUNTER,
      List.of("decision"),
      "decisions whose handler has thrown"),
  JOBS(
      "liquid.jobs", Kind.GAUGE, List.of("state"), "jobs that are `waiting`, `held` and `running`"),
  JOBS_EXPLAINED(
      "liquid.jobs.explained",
      Kind.GAUGE,
      List.of("constraint"),
      "of the first waiting jobs, how many wait for what, by their most telling constraint"),
  JOB_WAIT(
      "liquid.job.wait", Kind.TIMER, List.of(), "from the submission of a job to its first start"),
  JOB_LAUNCH(
      "liquid.job.launch",
      Kind.TIMER,
      List.of(),
      "from the decision to start a job to the report that it runs, where starts are reported"),
  GPUS(
      "liquid.gpus",
      Kind.GAUGE,
      List.of("state"),
      "GPUs that are `free`, `used`, on `draining` nodes, and `lost`"),
  PREDICTOR_ERROR(
      "liquid.predictor.error",
      Kind.SUMMARY,
      List.of("predictor"),
      "relative error of predictions: the distance from what was measured, as a part of it"),
  PLAN_GAP(
      "liquid.plan.gap",
      Kind.SUMMARY,
      List.of(),
      "how much of its cost a better batch plan could save at most, from 0 to 1");

  /** What Micrometer calls the kind of a meter. */
  enum Kind {
    TIMER,
    COUNTER,
    GAUGE,
    SUMMARY
  }

  private final String id;
  private final Kind kind;
  private final List<String> tags;
  private final String description;

  SchedulerMeter(String id, Kind kind, List<String> tags, String description) {
    this.id = id;
    this.kind = kind;
    this.tags = tags;
    this.description = description;
  }

  String id() {
    return id;
  }

  Kind kind() {
    return kind;
  }

  List<String> tags() {
    return tags;
  }

  String description() {
    return description;
  }
}
