package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.placement.gang.RandomPlacer;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.testkit.PlanSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans that were right when they were asked for. By the time they are answered the cluster may be
 * another one.
 */
final class StalePlans implements PlanSource {

  private static final PlanCertificate CERTIFICATE = new PlanCertificate(0, 0, 0, 0, List.of());

  private final List<Question> questions = new ArrayList<>();
  private final List<BatchPlan> answers = new ArrayList<>();

  /** What was asked for, and the cluster and jobs of then. */
  private record Question(PlanRequest request) {

    /**
     * Returns a plan that depends on {@code pick}: jobs left out, jobs that move, and their
     * targets.
     */
    BatchPlan answer(int pick) {
      ClusterState then = ClusterState.copyOf(request.view());
      Placer placer = pick % 2 == 0 ? BestFitPlacer.bestFit() : new RandomPlacer(pick);
      List<Migration> moves = new ArrayList<>();
      for (JobSpec job : pick % 5 == 0 ? movable() : List.<JobSpec>of()) {
        move(then, job, pick).ifPresent(moves::add);
      }
      List<Placement> starts = new ArrayList<>();
      List<JobId> postponed = new ArrayList<>();
      for (JobSpec job : request.pending()) {
        boolean leftOut = (job.id().hashCode() + pick) % 4 == 0;
        Optional<Placement> place = leftOut ? Optional.empty() : placer.place(then, job);
        place.ifPresent(found -> then.apply(job, found));
        place.ifPresentOrElse(starts::add, () -> postponed.add(job.id()));
      }
      return new BatchPlan(request.number(), starts, moves, postponed, CERTIFICATE);
    }

    private List<JobSpec> movable() {
      return request.view().runningJobs().stream()
          .map(job -> request.running(job).orElseThrow())
          .filter(JobSpec::isPreemptible)
          .toList();
    }

    private static Optional<Migration> move(ClusterState then, JobSpec job, int pick) {
      then.trials().suspend(job.id());
      Optional<Placement> to = new RandomPlacer(pick).place(then, job);
      then.trials().resume(job.id());
      if (to.isPresent()) {
        then.release(job.id());
        then.apply(job, to.get());
      }
      return to.map(place -> new Migration(job.id(), place, 1, 1 + pick % 3));
    }
  }

  @Override
  public StalePlans copy() {
    StalePlans copy = new StalePlans();
    copy.questions.addAll(questions);
    copy.answers.addAll(answers);
    return copy;
  }

  @Override
  public void ask(PlanRequest request) {
    questions.add(new Question(request));
  }

  @Override
  public Optional<BatchPlan> answer(int pick) {
    if (questions.isEmpty()) {
      return Optional.empty();
    }
    BatchPlan plan = questions.get(questions.size() - 1).answer(pick);
    answers.add(plan);
    return Optional.of(plan);
  }

  @Override
  public List<BatchPlan> answered() {
    return answers;
  }
}
