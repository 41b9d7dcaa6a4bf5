package io.github.liquidscheduler.scheduler.combination;

import static io.github.liquidscheduler.scheduler.combination.Kind.FETCH;
import static io.github.liquidscheduler.scheduler.combination.Kind.GRACE;
import static io.github.liquidscheduler.scheduler.combination.Kind.MOVE;
import static io.github.liquidscheduler.scheduler.combination.Kind.PLAN;
import static io.github.liquidscheduler.scheduler.combination.Kind.PREEMPT;
import static io.github.liquidscheduler.scheduler.combination.Kind.REJECT;
import static io.github.liquidscheduler.scheduler.combination.Kind.RESIZE;
import static io.github.liquidscheduler.scheduler.combination.Kind.SHARE;
import static io.github.liquidscheduler.scheduler.combination.Kind.START;
import static io.github.liquidscheduler.scheduler.combination.Slot.BACKFILL;
import static io.github.liquidscheduler.scheduler.combination.Slot.BATCH_WINDOW;
import static io.github.liquidscheduler.scheduler.combination.Slot.BOUNDS;
import static io.github.liquidscheduler.scheduler.combination.Slot.CO_LOCATION;
import static io.github.liquidscheduler.scheduler.combination.Slot.DEADLINES;
import static io.github.liquidscheduler.scheduler.combination.Slot.ELASTICITY;
import static io.github.liquidscheduler.scheduler.combination.Slot.GRACE_PERIOD;
import static io.github.liquidscheduler.scheduler.combination.Slot.MOVES;
import static io.github.liquidscheduler.scheduler.combination.Slot.ORDER;
import static io.github.liquidscheduler.scheduler.combination.Slot.PREFETCH;
import static io.github.liquidscheduler.scheduler.combination.Slot.ROUNDS;
import static io.github.liquidscheduler.scheduler.combination.Slot.SPEEDS;
import static io.github.liquidscheduler.scheduler.combination.Slot.TREE;

import java.util.List;

/** The meaning of each pair of slots. */
final class Meanings {

  private static final List<Meaning> ALL =
      List.of(
          of(
              ORDER,
              TREE,
              "shares decide between queues, the order decides inside a queue, both who starts and"
                  + " who gives way",
              START,
              PREEMPT),
          of(ORDER, BACKFILL, "the first jobs of the order hold the reservations", START),
          of(ORDER, BATCH_WINDOW, "a plan is asked for jobs in their order", PLAN, START),
          of(
              ORDER,
              ELASTICITY,
              "sizes give way to those who come first, and grow where nobody needs the GPUs",
              RESIZE,
              START,
              PREEMPT),
          of(ORDER, CO_LOCATION, "who comes first starts alone, others beside it", START),
          of(ORDER, MOVES, "jobs move for the first in the order that they help", MOVE, START),
          of(ORDER, SPEEDS, "of jobs that want a fast GPU the first gets it", START, MOVE),
          of(
              ORDER,
              DEADLINES,
              "promised jobs come first, the others in their order",
              START,
              REJECT),
          of(ORDER, PREFETCH, "data goes where the next in the order will start", FETCH),
          of(
              ORDER,
              GRACE_PERIOD,
              "who gives way may finish first, and keeps its rank",
              GRACE,
              START),
          of(
              ORDER,
              BOUNDS,
              "an event that comes before all is decided meets the order of that instant",
              START),
          of(TREE, BACKFILL, "a reservation holds quota as it holds GPUs", START),
          of(TREE, BATCH_WINDOW, "a plan is asked for jobs within their quotas", PLAN, START),
          of(
              TREE,
              ELASTICITY,
              "what is due to another queue is given back by sizes first; growth ends at limits",
              RESIZE,
              START),
          of(TREE, CO_LOCATION, "a share of a GPU counts for its queue, and gives way too", START),
          of(TREE, MOVES, "a victim moves where it can; moves stay within quotas", MOVE, START),
          of(TREE, SPEEDS, "fast GPUs go to the queue to which they are due", START, MOVE),
          of(
              TREE,
              DEADLINES,
              "a deadline is promised within the guarantee of the queue",
              START,
              PREEMPT,
              REJECT),
          of(TREE, PREFETCH, "data goes where the queue whose turn is next will start", FETCH),
          of(TREE, GRACE_PERIOD, "who gives back may finish first", GRACE),
          of(
              TREE,
              BOUNDS,
              "shares and lent quota hold between the parts of an event",
              START,
              PREEMPT),
          of(BACKFILL, BATCH_WINDOW, "what a plan leaves out holds a reservation", START, PLAN),
          of(
              BACKFILL,
              ELASTICITY,
              "reservations count on surplus; growth delays none",
              RESIZE,
              START),
          of(BACKFILL, CO_LOCATION, "a reserved gang outwaits residents", START),
          of(BACKFILL, MOVES, "who can start by moves holds no reservation", MOVE, START),
          of(BACKFILL, SPEEDS, "expected ends depend on the GPU model", START, MOVE),
          of(BACKFILL, DEADLINES, "a promise comes before a reservation", START, REJECT),
          of(BACKFILL, PREFETCH, "a reserved start says where data is needed", FETCH),
          of(BACKFILL, GRACE_PERIOD, "a reservation begins when victims are gone", START, GRACE),
          of(BACKFILL, BOUNDS, "reservations hold between the parts of an event", START),
          of(
              BATCH_WINDOW,
              ELASTICITY,
              "planned jobs start at planned sizes, and grow later",
              RESIZE,
              START),
          of(BATCH_WINDOW, CO_LOCATION, "jobs of one plan share GPUs", SHARE, START),
          of(BATCH_WINDOW, MOVES, "jobs move for planned ones", MOVE, START),
          of(BATCH_WINDOW, SPEEDS, "a plan knows the speeds", START, MOVE),
          of(BATCH_WINDOW, DEADLINES, "promised jobs do not wait for a plan", START, REJECT),
          of(BATCH_WINDOW, PREFETCH, "data goes where a plan starts jobs", FETCH),
          of(
              BATCH_WINDOW,
              GRACE_PERIOD,
              "a job that stops is planned when it is gone",
              PLAN,
              START),
          of(BATCH_WINDOW, BOUNDS, "a plan is carried out in parts", START),
          of(
              ELASTICITY,
              CO_LOCATION,
              "an elastic job gives up surplus for those who share",
              RESIZE,
              START),
          of(ELASTICITY, MOVES, "jobs move at the size they have", MOVE, RESIZE),
          of(ELASTICITY, SPEEDS, "growth goes to where it gains most", RESIZE, MOVE),
          of(ELASTICITY, DEADLINES, "sizes that promises need are kept free", RESIZE, START),
          of(ELASTICITY, PREFETCH, "data follows the starts that sizes permit", FETCH),
          of(ELASTICITY, GRACE_PERIOD, "what shrinking cannot give is stopped with grace", GRACE),
          of(ELASTICITY, BOUNDS, "sizes change in the parts of an event", RESIZE, START),
          of(CO_LOCATION, MOVES, "jobs on shared GPUs move too", MOVE),
          of(CO_LOCATION, SPEEDS, "GPUs are shared on the model chosen by speed", START, MOVE),
          of(CO_LOCATION, DEADLINES, "a promised job is not slowed", START, PREEMPT, REJECT),
          of(CO_LOCATION, PREFETCH, "data goes to shared GPUs too", FETCH),
          of(CO_LOCATION, GRACE_PERIOD, "who shares a GPU stops with grace", GRACE),
          of(CO_LOCATION, BOUNDS, "jobs share GPUs in the parts of an event", SHARE),
          of(MOVES, SPEEDS, "a move for another keeps in mind the speeds", MOVE),
          of(MOVES, DEADLINES, "jobs move for promised ones", MOVE, START, REJECT),
          of(MOVES, PREFETCH, "data goes where moves make a place", FETCH, MOVE),
          of(MOVES, GRACE_PERIOD, "of the victims some move, others stop with grace", MOVE, START),
          of(MOVES, BOUNDS, "jobs move for one start after another", MOVE, START),
          of(
              SPEEDS,
              DEADLINES,
              "a promise counts on the speed of the model",
              START,
              REJECT,
              RESIZE,
              MOVE),
          of(SPEEDS, PREFETCH, "data goes to the model chosen by speed", FETCH),
          of(
              SPEEDS,
              GRACE_PERIOD,
              "who stops leaves the fast GPUs after its grace",
              GRACE,
              START,
              MOVE),
          of(SPEEDS, BOUNDS, "fast GPUs go to the first of an instant", START, MOVE),
          of(DEADLINES, PREFETCH, "data goes where a promise starts", FETCH),
          of(DEADLINES, GRACE_PERIOD, "a promise counts on grace periods", GRACE, START, REJECT),
          of(DEADLINES, BOUNDS, "promises hold between the parts of an event", START, REJECT),
          of(PREFETCH, GRACE_PERIOD, "data arrives when the victims are gone", FETCH),
          of(PREFETCH, BOUNDS, "data goes where the rest of an event will start", FETCH),
          of(GRACE_PERIOD, BOUNDS, "victims leave in the parts of an event", GRACE, START),
          of(ORDER, ROUNDS, "a pool gets GPUs in the turn of its jobs", START, PREEMPT),
          of(TREE, ROUNDS, "what a pool holds counts for its queue", START, PREEMPT),
          of(BACKFILL, ROUNDS, "a reservation is for the GPUs of a pool as for a gang", START),
          of(BATCH_WINDOW, ROUNDS, "a plan gives GPUs to pools too", PLAN, START),
          of(ELASTICITY, ROUNDS, "a pool grows, and gives way by sizes", RESIZE),
          of(CO_LOCATION, ROUNDS, "GPUs are shared beside pools, not in them", START),
          of(MOVES, ROUNDS, "GPUs of pools move too, and others for them", MOVE),
          of(SPEEDS, ROUNDS, "a pool gets the GPUs on which its jobs gain", START, MOVE),
          of(DEADLINES, ROUNDS, "a promise counts on a pool of any size", START, REJECT, RESIZE),
          of(PREFETCH, ROUNDS, "data goes where a pool will get GPUs", FETCH),
          of(GRACE_PERIOD, ROUNDS, "tasks may be done before GPUs are given back", GRACE, START),
          of(BOUNDS, ROUNDS, "pools get GPUs in the parts of an event", START));

  private Meanings() {}

  /** Returns the meaning of two features, the one whose slot comes first first. */
  static Meaning of(Pair pair) {
    Slot first = pair.first().slot();
    Slot second = pair.second().slot();
    return ALL.stream()
        .filter(meaning -> meaning.first() == first && meaning.second() == second)
        .findFirst()
        .orElseThrow();
  }

  private static Meaning of(Slot first, Slot second, String sentence, Kind... kinds) {
    return Meaning.of(first, second, sentence, kinds);
  }
}
