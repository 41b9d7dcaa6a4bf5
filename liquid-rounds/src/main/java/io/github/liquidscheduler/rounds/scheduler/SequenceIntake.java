package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.rounds.RoundTask;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes what can be of a plan: the tasks that are there and do not run, up to the first of each GPU
 * that would wait for ever, because a task of an earlier round is in no sequence, or behind it.
 * What is left out is left to the policy. So some task can always run: if nothing does, the first
 * task of some sequence is of its job's round. O(tasks of the plan + jobs).
 */
final class SequenceIntake {

  /** How far a job comes if the tasks accepted so far have run. */
  private static final class Reach {
    private final List<Draft> blocked = new ArrayList<>();
    private final JobRounds job;
    private int round;
    private int left;

    Reach(JobRounds job) {
      this.job = job;
      round = job.round();
      left = job.waitingTasks();
      pass();
    }

    void pass() {
      while (left == 0 && round < job.rounds()) {
        round++;
        left = job.scale();
      }
    }
  }

  /** The tasks of one GPU, of which some are accepted. */
  private static final class Draft {
    private final PoolGpu gpu;
    private final List<RoundTask> tasks;
    private int accepted;

    Draft(PoolGpu gpu, List<RoundTask> tasks) {
      this.gpu = gpu;
      this.tasks = tasks;
    }
  }

  private final RoundState state;
  private final Map<JobId, Reach> reaches = new HashMap<>();

  SequenceIntake(RoundState state) {
    this.state = state;
  }

  /** Replaces all sequences. */
  void take(Map<GpuId, List<RoundTask>> sequences) {
    for (PoolGpu gpu : state.fleet().all()) {
      state.dropSequence(gpu);
    }
    List<Draft> drafts = new ArrayList<>();
    sequences.forEach(
        (id, tasks) -> {
          @Nullable PoolGpu gpu = state.fleet().find(id);
          if (gpu != null && gpu.isOpen()) {
            drafts.add(new Draft(gpu, tasks.stream().filter(this::isAhead).toList()));
          }
        });
    accept(drafts);
    drafts.forEach(this::use);
    state.jobs().forEach(job -> job.gpusBehindBarrier.clear());
    state.fleet().all().forEach(state::settle);
    state.fileAll(true);
  }

  /** Takes what is left of the sequences again, after tasks have fallen out. */
  void takeAgain() {
    Map<GpuId, List<RoundTask>> left = new LinkedHashMap<>();
    for (PoolGpu gpu : state.fleet().all()) {
      if (!gpu.sequence.isEmpty()) {
        left.put(gpu.id(), List.copyOf(gpu.sequence));
      }
    }
    if (!left.isEmpty()) {
      take(left);
    }
  }

  private boolean isAhead(RoundTask task) {
    @Nullable JobRounds job = state.find(task.job());
    return job != null && job.isAhead(task);
  }

  private void accept(List<Draft> drafts) {
    Deque<Draft> open = new ArrayDeque<>(drafts);
    while (!open.isEmpty()) {
      Draft draft = open.removeFirst();
      while (draft.accepted < draft.tasks.size() && accept(draft, open)) {
        draft.accepted++;
      }
    }
  }

  /** Accepts the next task of a GPU if its round comes, else has the GPU wait for it. */
  private boolean accept(Draft draft, Deque<Draft> open) {
    RoundTask task = draft.tasks.get(draft.accepted);
    Reach reach = reaches.computeIfAbsent(task.job(), id -> new Reach(jobOf(task)));
    if (task.round() > reach.round) {
      reach.blocked.add(draft);
      return false;
    }
    reach.left--;
    if (reach.left == 0) {
      reach.pass();
      open.addAll(reach.blocked);
      reach.blocked.clear();
    }
    return true;
  }

  private void use(Draft draft) {
    for (RoundTask task : draft.tasks.subList(0, draft.accepted)) {
      jobOf(task).plan(task);
      draft.gpu.sequence.add(task);
    }
  }

  private JobRounds jobOf(RoundTask task) {
    return Objects.requireNonNull(state.find(task.job()));
  }
}
