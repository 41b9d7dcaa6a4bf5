package io.github.liquidscheduler.planner.colocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.colocation.search.CandidateJob;
import io.github.liquidscheduler.placement.colocation.search.ColocationSearch;
import io.github.liquidscheduler.placement.colocation.search.RandomCluster;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Who comes beside whom, all at once, compared with all ways there are. */
class ColocationAssignmentLaws {

  /** Steps of costs, and that they are whole numbers, may cost so much in all. */
  private static final double ROUNDING = 0.01;

  /** More who may not be bypassed, then more of all, then less cost. */
  private static final Comparator<Assigned> BETTER =
      Comparator.comparingInt(Assigned::undeferrable)
          .thenComparingInt(Assigned::all)
          .thenComparing(Assigned::cost, Comparator.reverseOrder());

  /** What a way to assign jobs comes to. */
  private record Assigned(int undeferrable, int all, double cost) {
    static final Assigned NOBODY = new Assigned(0, 0, 0);

    Assigned and(boolean isDeferrable, double more) {
      return new Assigned(undeferrable + (isDeferrable ? 0 : 1), all + 1, cost + more);
    }
  }

  @Property
  void noOtherWaySeatsMoreOrCostsLess(@ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster town = new RandomCluster(choices.random());
    List<JobSpec> jobs = seekers(town);
    Set<JobId> deferrable =
        jobs.stream()
            .map(JobSpec::id)
            .filter(job -> (job.hashCode() + choices.bits().size()) % 2 == 0)
            .collect(Collectors.toSet());

    Assigned found = Assigned.NOBODY;
    List<List<ColocationSearch.Option>> options =
        jobs.stream().map(job -> options(town, job)).toList();
    for (Placement place : assigned(town, jobs, deferrable)) {
      int job = jobs.stream().map(JobSpec::id).toList().indexOf(place.job());
      int gpu = position(town, place);
      double cost =
          options.get(job).stream()
              .filter(option -> option.usable().contains(gpu))
              .findFirst()
              .orElseThrow()
              .cost();
      found = found.and(deferrable.contains(place.job()), cost);
    }
    Assigned best = best(jobs, options, deferrable, 0, new ArrayList<>(), Assigned.NOBODY);

    assertThat(found.undeferrable()).isEqualTo(best.undeferrable());
    assertThat(found.all()).isEqualTo(best.all());
    assertThat(found.cost()).isLessThanOrEqualTo(best.cost() + ROUNDING);
  }

  @Property(tries = 500)
  void whoIsSeatedFitsAndTheRuleAllowsIt(@ForAll(supplier = Choices.Any.class) Choices choices) {
    RandomCluster town = new RandomCluster(choices.random());
    List<JobSpec> jobs = seekers(town);

    for (Placement place : assigned(town, jobs, Set.of())) {
      JobSpec job =
          jobs.stream().filter(each -> each.id().equals(place.job())).findFirst().orElseThrow();
      assertThat(town.placer.allows(town.state, job, place)).isTrue();
      town.state.apply(job, place);
    }
  }

  private static List<Placement> assigned(
      RandomCluster town, List<JobSpec> jobs, Set<JobId> deferrable) {
    return new ColocationAssignment(town.state, town.placer, job -> deferrable.contains(job.id()))
        .of(jobs);
  }

  /** Returns three jobs of one task that may share, without limits but of the GPU. */
  private static List<JobSpec> seekers(RandomCluster town) {
    return town.candidateJobs(40).stream()
        .filter(job -> job.tasks() == 1 && CandidateJob.mayShare(job))
        .filter(job -> job.roles().get(0).request().cpu().isEmpty())
        .limit(3)
        .toList();
  }

  private static List<ColocationSearch.Option> options(RandomCluster town, JobSpec job) {
    return new ColocationSearch(town.state, job, town.placer).options(100);
  }

  private static int position(RandomCluster town, Placement place) {
    return town.state
            .topology()
            .gpusBefore(town.state.topology().position(place.tasks().get(0).node()))
        + place.tasks().get(0).gpus().get(0);
  }

  private static Assigned best(
      List<JobSpec> jobs,
      List<List<ColocationSearch.Option>> options,
      Set<JobId> deferrable,
      int job,
      List<Integer> taken,
      Assigned before) {
    if (job == jobs.size()) {
      return before;
    }
    Assigned best = best(jobs, options, deferrable, job + 1, taken, before);
    for (ColocationSearch.Option option : options.get(job)) {
      for (int gpu : option.usable()) {
        if (!taken.contains(gpu)) {
          taken.add(gpu);
          Assigned with = before.and(deferrable.contains(jobs.get(job).id()), option.cost());
          Assigned found = best(jobs, options, deferrable, job + 1, taken, with);
          best = BETTER.compare(found, best) > 0 ? found : best;
          taken.remove(taken.size() - 1);
        }
      }
    }
    return best;
  }
}
