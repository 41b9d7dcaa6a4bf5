package io.github.liquidscheduler.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.placement.eviction.NodeAmounts;
import io.github.liquidscheduler.scheduler.job.Entries;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

class OrderedJobsLaws {

  @Property
  void itIsASortedSetWithPositions(
      @ForAll @Size(max = 1500) List<@IntRange(max = 29) Integer> choices) {
    OrderedJobs jobs = new OrderedJobs();
    TreeSet<JobEntry> model = new TreeSet<>(JobOrders.TURN);
    for (int i = 0; i < choices.size(); i++) {
      JobEntry job = job(i, choices.get(i) % 5);
      jobs.add(job);
      model.add(job);
      int removal = choices.get(i) / 5;
      if (removal > 3) {
        JobEntry gone = removal == 4 ? model.first() : model.floor(job);
        jobs.remove(gone);
        model.remove(gone);
      }
    }

    assertThat(jobs).containsExactlyElementsOf(model);
    assertThat(jobs.isEmpty()).isEqualTo(model.isEmpty());
    int position = 0;
    for (JobEntry job : model) {
      assertThat(jobs.position(job)).isEqualTo(position++);
    }
    JobEntry absent = job(-1, 3);
    assertThat(jobs.position(absent)).isEqualTo(model.headSet(absent).size());
    assertThat(jobs.size()).isEqualTo(model.size());
    List<JobEntry> above = new ArrayList<>(model.descendingSet());
    above.removeIf(job -> job.rank() <= 2);
    assertThat(jobs.above(2, any -> true)).toIterable().containsExactlyElementsOf(above);
    above.removeIf(job -> job.sequence() % 3 == 0);
    assertThat(jobs.above(2, job -> job.sequence() % 3 > 0))
        .toIterable()
        .containsExactlyElementsOf(above);
  }

  @Property
  void theJobAfterEachIsTheNextInOrder(
      @ForAll @Size(max = 1500) List<@IntRange(max = 4) Integer> ranks) {
    OrderedJobs jobs = new OrderedJobs();
    TreeSet<JobEntry> model = new TreeSet<>(JobOrders.TURN);
    fill(jobs, model, ranks);

    for (JobEntry job : model) {
      assertThat(jobs.next(job)).isSameAs(model.higher(job));
    }
    if (!model.isEmpty()) {
      assertThat(jobs.first()).isSameAs(model.first());
    }
  }

  /** Between two questions jobs come and go, before and behind the place where the walk is. */
  @Property
  void aCursorVisitsEachLaterJobOnce(
      @ForAll @Size(max = 700) List<@IntRange(max = 9) Integer> ranks,
      @ForAll @Size(max = 60) List<@IntRange(max = 29) Integer> steps,
      @ForAll @IntRange(max = 9) int start,
      @ForAll @IntRange(min = -1, max = 700) int after) {
    OrderedJobs jobs = new OrderedJobs();
    TreeSet<JobEntry> model = new TreeSet<>(JobOrders.TURN);
    fill(jobs, model, ranks);
    OrderedJobs.Cursor walk = jobs.from(start, after);
    model.removeIf(job -> job.rank() < start || (job.rank() == start && job.sequence() <= after));
    @Nullable JobEntry last = null;
    for (int i = 0; i < steps.size(); i++) {
      int step = steps.get(i);
      @Nullable JobEntry expected = model.isEmpty() ? null : model.first();
      assertThat(walk.next(job -> true)).isSameAs(expected);
      if (step < 10) {
        JobEntry job = job(ranks.size() + i, step);
        jobs.add(job);
        boolean isBehind = step > start || (step == start && job.sequence() > after);
        if (isBehind && (last == null || JobOrders.TURN.compare(job, last) > 0)) {
          model.add(job);
        }
      } else if (expected != null && step < 15) {
        jobs.remove(expected);
        model.remove(expected);
      } else if (expected != null && step < 25) {
        walk.passOver(expected);
        model.remove(expected);
        last = expected;
      } else if (expected != null) {
        walk.passOver(model.last());
        last = model.size() == 1 ? model.pollLast() : last;
      }
    }
  }

  @Property
  void unwantedJobsAreNotVisitedAgain(
      @ForAll @Size(max = 1500) List<@IntRange(max = 4) Integer> ranks,
      @ForAll @IntRange(min = 1, max = 4) int wanted) {
    OrderedJobs jobs = new OrderedJobs();
    TreeSet<JobEntry> model = new TreeSet<>(JobOrders.TURN);
    fill(jobs, model, ranks);
    OrderedJobs.Cursor walk = jobs.from(0, -1);

    JobEntry found = walk.next(job -> job.rank() >= wanted);

    model.removeIf(job -> job.rank() < wanted);
    assertThat(found).isSameAs(model.isEmpty() ? null : model.first());
    assertThat(walk.next(job -> true)).isSameAs(found);
  }

  /** Between two questions jobs come and go, so that what is kept of each block changes. */
  @Property
  void aSieveDoesNotChangeTheVisitedJobs(
      @ForAll @Size(max = 1500) List<@IntRange(max = 4) Integer> ranks,
      @ForAll @Size(max = 40) List<@IntRange(max = 14) Integer> steps,
      @ForAll @IntRange(max = 8) int free) {
    OrderedJobs jobs = new OrderedJobs();
    TreeSet<JobEntry> model = new TreeSet<>(JobOrders.TURN);
    fill(jobs, model, ranks);
    NodeAmounts room = new NodeAmounts(free, 1000, Long.MAX_VALUE, Long.MAX_VALUE);
    OrderedJobs.Cursor sieved = jobs.from(1, -1);
    OrderedJobs.Cursor walk = jobs.from(1, -1);
    for (int i = 0; i < steps.size(); i++) {
      Predicate<JobEntry> wanted =
          job -> job.placementClass().leastTask().gpus() <= free && job.sequence() % 5 > 0;
      @Nullable JobEntry met =
          sieved.next((job, requests, from) -> requests.nextHeld(from, room), wanted);
      assertThat(met).isSameAs(walk.next(wanted));
      int step = steps.get(i);
      if (step < 5) {
        jobs.add(job(ranks.size() + i, step));
      } else if (met != null && step < 10) {
        jobs.remove(met);
      } else if (met != null) {
        sieved.passOver(met);
        walk.passOver(met);
      }
    }
  }

  /** So many jobs do not stand in one block. */
  @Example
  void thousandsOfJobsStandInOneOrder() {
    OrderedJobs jobs = new OrderedJobs();
    TreeSet<JobEntry> model = new TreeSet<>(JobOrders.TURN);
    fill(jobs, model, IntStream.range(0, 2000).map(i -> i * 7 % 100).boxed().toList());
    OrderedJobs.Cursor walk = jobs.from(0, -1);

    for (JobEntry job : List.copyOf(model)) {
      assertThat(jobs.next(job)).isSameAs(model.higher(job));
      assertThat(jobs.position(job)).isEqualTo(model.headSet(job).size());
      assertThat(walk.next(any -> true)).isSameAs(job);
      walk.passOver(job);
      if (job.sequence() % 3 == 0) {
        jobs.remove(job);
        model.remove(job);
      }
    }
    assertThat(walk.next(any -> true)).isNull();
    assertThat(jobs).containsExactlyElementsOf(model);
  }

  private static void fill(OrderedJobs jobs, Set<JobEntry> model, List<Integer> ranks) {
    for (int i = 0; i < ranks.size(); i++) {
      JobEntry job = job(i, ranks.get(i));
      jobs.add(job);
      model.add(job);
    }
  }

  private static JobEntry job(int sequence, int rank) {
    return Entries.ranked(sequence, rank);
  }
}
