package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.prediction.LearnedState;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.PredictorState;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduler.policy.QueueOrder;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.Placer;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Blows at a given call of the parts it protects, once. */
final class Fuse {

  private int callsLeft;

  /** Makes the call after a number of others throw. */
  void arm(int calls) {
    callsLeft = calls + 1;
  }

  void disarm() {
    callsLeft = 0;
  }

  private void call() {
    if (callsLeft > 0 && --callsLeft == 0) {
      throw new ArithmeticException("blown");
    }
  }

  /** Returns a part that fails when the fuse blows, in whichever call that is. */
  <T> T protecting(Class<T> type, T part) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              call();
              return method.invoke(part, arguments);
            }));
  }

  /** A placer that fails when the fuse blows. */
  record FusedPlacer(Placer placer, Fuse fuse) implements Placer {
    @Override
    public Optional<Placement> place(ClusterView view, JobSpec job) {
      fuse.call();
      return placer.place(view, job);
    }

    @Override
    public boolean allows(ClusterView view, JobSpec job, Placement place) {
      fuse.call();
      return placer.allows(view, job, place);
    }

    @Override
    public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
      fuse.call();
      return placer.unmetConstraints(view, job);
    }
  }

  /** A predictor that believes what it was last told, and fails when the fuse blows. */
  record FusedPredictor(Fuse fuse) implements InterferencePredictor {

    private record Learned(double speed) implements PredictorState {
      @Override
      public List<LearnedState> save() {
        return List.of(new LearnedState("speed", List.of(), List.of(speed)));
      }
    }

    @Override
    public Prediction retainedSpeed(ColocationQuery query) {
      return retainedSpeed(query, PredictorState.NONE);
    }

    @Override
    public Prediction retainedSpeed(ColocationQuery query, PredictorState state) {
      fuse.call();
      double speed = state instanceof Learned learned ? learned.speed() : 1;
      return Prediction.certain(query.coRunners().isEmpty() ? 1 : speed, Provenance.LEARNED);
    }

    @Override
    public PredictorState observe(
        PredictorState state, ColocationQuery query, double retainedSpeed) {
      fuse.call();
      return new Learned(retainedSpeed);
    }
  }

  /** A policy that fails when the fuse blows. */
  record FusedPolicy(SchedulingPolicy policy, Fuse fuse) implements SchedulingPolicy {
    @Override
    public String name() {
      return policy.name();
    }

    @Override
    public Map<String, String> parameters() {
      return policy.parameters();
    }

    @Override
    public long rank(JobView job) {
      fuse.call();
      return policy.rank(job);
    }

    @Override
    public Optional<QueueOrder> queueOrder() {
      return policy
          .queueOrder()
          .map(
              order ->
                  queue -> {
                    fuse.call();
                    return order.rank(queue);
                  });
    }

    @Override
    public boolean allowsBypass() {
      return policy.allowsBypass();
    }

    @Override
    public boolean preempts() {
      return policy.preempts();
    }

    @Override
    public boolean isRemainingTime() {
      return policy.isRemainingTime();
    }

    @Override
    public PolicyState policyState(JobView job) {
      fuse.call();
      return policy.policyState(job);
    }

    @Override
    public Optional<Instant> nextReview(JobView job) {
      fuse.call();
      return policy.nextReview(job);
    }
  }
}
