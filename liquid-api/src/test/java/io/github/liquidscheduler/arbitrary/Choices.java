package io.github.liquidscheduler.arbitrary;

import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.RandomDistribution;

/**
 * What a generator that draws from a {@link Random} is to draw, as a value that shrinks: towards
 * fewer choices and smaller ones. After the last one every choice is 0, the first of all options.
 *
 * @param bits the choices, 32 random bits each
 */
public record Choices(List<Integer> bits) {
  private static final int MOST = 1000;

  /** Copies the choices. */
  public Choices {
    bits = List.copyOf(bits);
  }

  /** Draws choices for a parameter: {@code @ForAll(supplier = Choices.Any.class)}. */
  public static final class Any implements ArbitrarySupplier<Choices> {
    @Override
    public Arbitrary<Choices> get() {
      return Arbitraries.integers()
          .withDistribution(RandomDistribution.uniform())
          .list()
          .ofMaxSize(MOST)
          .withSizeDistribution(RandomDistribution.uniform())
          .map(Choices::new)
          .withoutEdgeCases();
    }
  }

  /** Returns the choices that a seed stands for, for a test of one example. */
  public static Choices of(long seed) {
    return new Choices(new Random(seed).ints(MOST).boxed().toList());
  }

  /** Returns a source that draws these choices from the first on, a new one each time. */
  public Random random() {
    return random(0);
  }

  /** Returns a source that leaves out the first choices. */
  public Random random(int leftOut) {
    return new Chosen(bits.subList(Math.min(leftOut, bits.size()), bits.size()));
  }

  @SuppressWarnings("serial") // Nobody keeps it.
  private static final class Chosen extends Random {
    private final List<Integer> bits;
    private int drawn;

    Chosen(List<Integer> bits) {
      super(0);
      this.bits = bits;
    }

    @Override
    protected int next(int count) {
      int next = drawn < bits.size() ? bits.get(drawn++) : 0;
      return next >>> (Integer.SIZE - count);
    }
  }
}
