package io.github.liquidscheduler.placement.colocation.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Which GPUs of a node the tasks of a gang get, on nodes of two NVLink groups. */
class TaskChoiceLaws {

  private static final int MANY = 20;

  @Property(tries = 300)
  void ofFewChoicesTheCheapestIsTaken(
      @ForAll(supplier = Choices.Any.class) Choices choices,
      @ForAll @IntRange(min = 1, max = 8) int tasks) {
    List<ColocatedTask> places = places(8, choices.random());
    TaskChoice choice = choice(8, tasks);

    assertThat(choice.cost(choice.choose(places)))
        .isCloseTo(cheapest(choice, places, tasks, new ArrayList<>(), 0), within(1e-12));
  }

  @Property(tries = 100)
  void ofManyChoicesNoneIsTakenThatCostsMoreThanTheCheapestGpus(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    List<ColocatedTask> places = places(MANY, choices.random());
    TaskChoice choice = choice(MANY, 10);

    assertThat(choice.cost(choice.choose(places)))
        .isLessThanOrEqualTo(choice.cost(places.subList(0, 10)) + 1e-12);
  }

  @Property(tries = 100)
  void eachTaskGetsAGpuOfItsOwn(
      @ForAll(supplier = Choices.Any.class) Choices choices,
      @ForAll @IntRange(min = 1, max = MANY) int tasks) {
    List<ColocatedTask> places = places(MANY, choices.random());
    List<ColocatedTask> chosen = choice(MANY, tasks).choose(places);

    assertThat(chosen)
        .hasSize(tasks)
        .doesNotHaveDuplicates()
        .isSubsetOf(places)
        .isSortedAccordingTo(Comparator.comparingInt(ColocatedTask::gpu));
  }

  /** Two GPUs of a group cost .1 each, one of the other group nothing. */
  @Example
  void aGroupThatCommunicatesFasterIsWorthMoreThanCheaperGpus() {
    List<ColocatedTask> places =
        List.of(
            new ColocatedTask(1, 0, 1), new ColocatedTask(0, 0.1, 1), new ColocatedTask(2, 0.1, 1));

    assertThat(gpus(choice(4, 2, 300).choose(places))).containsExactly(0, 2);
    assertThat(gpus(choice(4, 2, 1).choose(places))).containsExactly(0, 1);
  }

  private static List<Integer> gpus(List<ColocatedTask> chosen) {
    return chosen.stream().map(ColocatedTask::gpu).toList();
  }

  /** Returns what the cheapest of all choices costs that go on from some places taken. */
  private static double cheapest(
      TaskChoice choice,
      List<ColocatedTask> places,
      int tasks,
      List<ColocatedTask> taken,
      int from) {
    if (taken.size() == tasks) {
      return choice.cost(taken);
    }
    double least = Double.POSITIVE_INFINITY;
    for (int next = from; next < places.size(); next++) {
      taken.addLast(places.get(next));
      least = Math.min(least, cheapest(choice, places, tasks, taken, next + 1));
      taken.removeLast();
    }
    return least;
  }

  private static List<ColocatedTask> places(int count, Random random) {
    List<ColocatedTask> places = new ArrayList<>();
    for (int gpu = 0; gpu < count; gpu++) {
      places.add(new ColocatedTask(gpu, random.nextInt(5) / 5.0, 1 - random.nextInt(8) / 10.0));
    }
    places.sort(
        Comparator.comparingDouble(ColocatedTask::cost).thenComparingInt(ColocatedTask::gpu));
    return places;
  }

  private static TaskChoice choice(int gpus, int tasks) {
    return choice(gpus, tasks, 300);
  }

  private static TaskChoice choice(int gpus, int tasks, int nvlinkGigabytes) {
    Node.Builder node = Node.builder("n0");
    for (int gpu = 0; gpu < gpus; gpu++) {
      node.gpu(new Gpu(GpuModel.of("V100"), Memory.ofGib(16), gpu % 2, 0));
    }
    node.nvlink(Bandwidth.ofGigabytesPerSecond(nvlinkGigabytes));
    ClusterState state = ClusterState.of(ClusterTopology.builder().node(node.build()).build());
    JobSpec job =
        JobSpec.builder("gang")
            .gpus(tasks)
            .communication(new Communication.AllReduce(2_000_000_000))
            .build();
    return new TaskChoice(
        new CandidateJob(job, gpu -> ColocationProfile.of(job.workload()), new SameProfiles()),
        state.index(),
        state.loads().model(),
        0);
  }
}
