package io.github.liquidscheduler.placement.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.NodeRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A level finds what a look at every slot would find. */
class DomainLevelLaws {

  private int[] first = {};
  private int[] end = {};
  private int[] free = {};
  private int maxFree;
  private DomainLevel level = new DomainLevel(free, first, end, List.of(), 0);

  @Property
  void countsWhatTheSlotsOfEachDomainHave(@ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    change(random);

    assertThat(level.size()).isEqualTo(first.length);
    assertThat(level.firstFrom(0)).isZero();
    for (int domain = 0; domain < first.length; domain++) {
      assertThat(level.first(domain)).isEqualTo(first[domain]);
      assertThat(level.firstFrom(first[domain])).isEqualTo(domain);
      assertThat(level.firstFrom(first[domain] + 1)).isEqualTo(domain + 1);
      assertThat(level.free(domain)).isEqualTo(free(domain));
      int gpusPerTask = 1 + random.nextInt(maxFree);
      int enough = random.nextInt(20);
      assertThat(level.tasks(domain, gpusPerTask, enough))
          .isEqualTo(Math.min(enough, slots(domain).map(s -> s / gpusPerTask).sum()));
      assertThat(level.tasks(domain, 0, enough))
          .isEqualTo(slots(domain).findAny().isPresent() ? enough : 0);
    }
  }

  @Property
  void findsTheDomainsThatHaveEnoughTheFullestFirst(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    change(random);
    int freeGpus = free(random.nextInt(first.length)) + random.nextInt(2);
    List<Integer> found = new ArrayList<>();
    for (int d = level.next(freeGpus, -1); d >= 0; d = level.next(freeGpus, d)) {
      found.add(d);
    }

    assertThat(found)
        .containsExactlyElementsOf(
            IntStream.range(0, first.length)
                .filter(domain -> free(domain) >= freeGpus)
                .boxed()
                .sorted(Comparator.comparingInt(domain -> free(domain) / step()))
                .toList());
  }

  private void change(Random random) {
    maxFree = 1 + random.nextInt(random.nextBoolean() ? 8 : 3000);
    int domains = 1 + random.nextInt(5);
    first = new int[domains];
    end = new int[domains];
    int slots = 0;
    List<NodeRange> nodes = new ArrayList<>();
    for (int domain = 0; domain < domains; domain++) {
      first[domain] = slots;
      slots += 1 + random.nextInt(4);
      end[domain] = slots;
      nodes.add(new NodeRange(first[domain], slots));
    }
    free = new int[slots + 1];
    Arrays.setAll(free, slot -> random.nextBoolean() ? -1 : random.nextInt(maxFree + 1));
    int[] domainOf = new int[slots + 1];
    Arrays.fill(domainOf, -1);
    for (int domain = 0; domain < domains; domain++) {
      Arrays.fill(domainOf, first[domain], end[domain], domain);
    }
    level = new DomainLevel(domainOf, first, end, nodes, maxFree);
    level.sumUp(free);
    for (int step = random.nextInt(40); step > 0; step--) {
      int slot = random.nextInt(free.length);
      int now = random.nextInt(maxFree + 2) - 1;
      level.change(slot, free[slot], now);
      free[slot] = now;
    }
  }

  /** Returns the smallest power of two of which the largest domain has less than 256 free. */
  private int step() {
    int widest = IntStream.range(0, first.length).map(d -> end[d] - first[d]).max().orElse(0);
    int step = 1;
    while (widest * maxFree / step >= 256) {
      step *= 2;
    }
    return step;
  }

  private int free(int domain) {
    return slots(domain).sum();
  }

  /** Returns the free GPUs of each slot that is there. */
  private IntStream slots(int domain) {
    return IntStream.range(first[domain], end[domain]).map(s -> free[s]).filter(f -> f >= 0);
  }
}
