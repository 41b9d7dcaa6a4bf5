package io.github.liquidscheduler.planner.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.arbitrary.Choices;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class LinkContentionLaws {

  private static final int LINKS = 6;

  @Property(tries = 300)
  void theCostIsWhatEachTwoOnALinkDelayEachOther(
      @ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    LinkContention links = new LinkContention(LINKS);
    List<LinkContention.Usage> there = new ArrayList<>();
    for (int change = 0; change < 40; change++) {
      if (there.size() > 1 && random.nextInt(3) == 0) {
        links.remove(there.remove(random.nextInt(there.size())));
      } else {
        there.add(usage(random));
        links.add(there.getLast());
      }
    }

    assertThat(links.cost()).isCloseTo(pairs(there), within(1000L));
  }

  @Property(tries = 300)
  void addingRaisesTheCostByTheRise(@ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    LinkContention links = new LinkContention(LINKS);
    for (int gang = 0; gang < 10; gang++) {
      LinkContention.Usage usage = usage(random);
      long before = links.cost();
      long rise = links.rise(usage);
      links.add(usage);

      assertThat(links.cost()).isCloseTo(before + rise, within(1000L));
    }
  }

  @Property(tries = 300)
  void addingAndRemovingAreExactInverses(@ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    LinkContention links = new LinkContention(LINKS);
    links.add(usage(random));
    long before = links.cost();
    LinkContention.Usage first = usage(random);
    LinkContention.Usage second = usage(random);
    links.add(first);
    links.add(second);
    links.remove(first);
    links.remove(second);

    assertThat(links.cost()).isEqualTo(before);
  }

  /** Returns in units, of 10^-9 seconds, what is counted in 10^-6 seconds and 1024ths. */
  private static long pairs(List<LinkContention.Usage> there) {
    double sum = 0;
    for (int one = 0; one < there.size(); one++) {
      for (int other = 0; other < there.size(); other++) {
        sum += one == other ? 0 : delay(there.get(one), there.get(other));
      }
    }
    return Math.round(sum / 1024 * 1000);
  }

  private static double delay(LinkContention.Usage one, LinkContention.Usage other) {
    double sum = 0;
    for (int i = 0; i < one.links().length; i++) {
      for (int j = 0; j < other.links().length; j++) {
        if (one.links()[i] == other.links()[j]) {
          sum += (double) one.delay()[i] * other.busy()[j];
        }
      }
    }
    return sum;
  }

  private static LinkContention.Usage usage(Random random) {
    List<Integer> all = new ArrayList<>(IntStream.range(0, LINKS).boxed().toList());
    Collections.shuffle(all, random);
    int[] links = all.stream().mapToInt(link -> link).limit(1 + random.nextInt(LINKS)).toArray();
    int[] busy = random.ints(links.length, 1, 1025).toArray();
    long[] delay = random.longs(links.length, 0, 2_000_000).toArray();
    return new LinkContention.Usage(links, busy, delay);
  }
}
