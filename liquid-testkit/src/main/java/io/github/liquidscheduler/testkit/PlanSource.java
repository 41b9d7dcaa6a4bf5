package io.github.liquidscheduler.testkit;

import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanRequest;
import java.util.List;
import java.util.Optional;

/** The source of the plans that a scheduler asks for during a {@link Playback}. */
public interface PlanSource {

  /** Answers nothing. */
  PlanSource NONE =
      new PlanSource() {
        @Override
        public void ask(PlanRequest request) {}

        @Override
        public Optional<BatchPlan> answer(int pick) {
          return Optional.empty();
        }

        @Override
        public List<BatchPlan> answered() {
          return List.of();
        }

        @Override
        public PlanSource copy() {
          return this;
        }
      };

  /** Takes note of what is asked. */
  void ask(PlanRequest request);

  /** Returns an answer to the last question, a different one for each {@code pick}, if any. */
  Optional<BatchPlan> answer(int pick);

  /** Returns all answers given so far, the oldest first. */
  List<BatchPlan> answered();

  /** Returns a source that has been asked the same and goes its own way from here. */
  PlanSource copy();
}
