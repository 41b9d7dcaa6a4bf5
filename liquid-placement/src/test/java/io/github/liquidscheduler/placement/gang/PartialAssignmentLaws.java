package io.github.liquidscheduler.placement.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Slots of which each two belong to one node, as many as outgrow the arrays at first. */
class PartialAssignmentLaws {

  private static final int SLOTS = 80;
  private static final int FREE_GPUS = 30;
  private static final int FREE_CPU = 60;
  private static final int FREE_MEMORY = 160;
  private static final TaskShape[] ROLES = {
    TaskShape.of(
        new TaskRole(
            "worker", 1, ResourceRequest.builder().gpus(2).cpu(CpuCores.ofMillicores(3)).build())),
    TaskShape.of(
        new TaskRole("server", 1, ResourceRequest.builder().gpus(1).memory(new Memory(5)).build()))
  };

  private record Change(int slot, int role, int tasks) {}

  @Provide
  Arbitrary<List<Change>> changes() {
    return Combinators.combine(
            Arbitraries.integers().between(0, SLOTS - 1),
            Arbitraries.integers().between(0, 1),
            Arbitraries.integers().between(-2, 4))
        .as(Change::new)
        .list()
        .ofMaxSize(150);
  }

  @Property
  void countsTheTasksOfEachSlotInTheOrderInWhichSlotsWereFilled(
      @ForAll("changes") List<Change> first, @ForAll("changes") List<Change> second) {
    PartialAssignment assignment = new PartialAssignment(nodes());
    assignment.begin(ROLES);
    fill(assignment, first);
    assignment.begin(ROLES);
    Map<Integer, int[]> model = fill(assignment, second);

    assertThat(Arrays.copyOf(assignment.slots(), assignment.size()))
        .isEqualTo(model.keySet().stream().mapToInt(slot -> slot).toArray());
    assertThat(Arrays.copyOf(assignment.byRole(), 2 * assignment.size()))
        .isEqualTo(model.values().stream().flatMapToInt(Arrays::stream).toArray());
    for (int slot = 0; slot < SLOTS; slot++) {
      int[] there = model.getOrDefault(slot, new int[2]);
      assertThat(assignment.tasks(slot, 0)).isEqualTo(there[0]);
      assertThat(assignment.tasks(slot, 1)).isEqualTo(there[1]);
      assertThat(assignment.tasks(slot)).isEqualTo(there[0] + there[1]);
    }
  }

  @Property
  void slotsOfOneNodeShareItsCpuAndMemory(
      @ForAll("changes") List<Change> first, @ForAll("changes") List<Change> second) {
    PartialAssignment assignment = new PartialAssignment(nodes());
    assignment.begin(ROLES);
    fill(assignment, first);
    assignment.begin(ROLES);
    Map<Integer, int[]> model = fill(assignment, second);

    for (int slot = 0; slot < SLOTS; slot++) {
      int[] here = model.getOrDefault(slot, new int[2]);
      int[] beside = model.getOrDefault(slot ^ 1, new int[2]);
      int gpus = FREE_GPUS - 2 * here[0] - here[1];
      int cpu = FREE_CPU - 3 * (here[0] + beside[0]);
      int memory = FREE_MEMORY - 5 * (here[1] + beside[1]);
      assertThat(assignment.fitting(slot, 0, FREE_GPUS, FREE_CPU, FREE_MEMORY))
          .isEqualTo(Math.min(Math.floorDiv(gpus, 2), Math.floorDiv(cpu, 3)));
      assertThat(assignment.fitting(slot, 1, FREE_GPUS, FREE_CPU, FREE_MEMORY))
          .isEqualTo(Math.min(gpus, Math.floorDiv(memory, 5)));
    }
  }

  @Example
  void aSlotThatIsFilledAgainKeepsItsPosition() {
    PartialAssignment assignment = new PartialAssignment(nodes());
    assignment.begin(ROLES);
    for (int round = 1; round <= 2; round++) {
      for (int slot = 0; slot < SLOTS; slot++) {
        assignment.add(slot, slot % 2, round);
      }
    }

    assertThat(assignment.size()).isEqualTo(SLOTS);
    assertThat(assignment.slots()).startsWith(0, 1, 2, 3).hasSizeGreaterThanOrEqualTo(SLOTS);
    assertThat(assignment.byRole()).startsWith(3, 0, 0, 3);
    assignment.begin(ROLES);
    assertThat(assignment.fitting(0, 0, FREE_GPUS, FREE_CPU, FREE_MEMORY)).isEqualTo(15);
    assertThat(assignment.fitting(1, 1, FREE_GPUS, FREE_CPU, FREE_MEMORY)).isEqualTo(30);
  }

  private static Map<Integer, int[]> fill(PartialAssignment assignment, List<Change> changes) {
    Map<Integer, int[]> model = new LinkedHashMap<>();
    for (Change change : changes) {
      assignment.add(change.slot(), change.role(), change.tasks());
      model.computeIfAbsent(change.slot(), each -> new int[2])[change.role()] += change.tasks();
    }
    return model;
  }

  private static int[] nodes() {
    int[] nodes = new int[SLOTS];
    Arrays.setAll(nodes, slot -> slot / 2);
    return nodes;
  }
}
