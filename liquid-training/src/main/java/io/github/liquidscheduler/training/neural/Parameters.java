package io.github.liquidscheduler.training.neural;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * All numbers that a network learns, in one array, with their gradients and what Adam (Kingma and
 * Ba, 2015) remembers of them. Parts of a network ask for a range and keep its offset.
 *
 * <p>Not thread-safe.
 */
public final class Parameters {
  private static final double FIRST_MOMENT = 0.9;
  private static final double SECOND_MOMENT = 0.999;
  private static final double TINY = 1e-8;

  private int size;
  private double[] values = new double[256];
  private double[] gradients = new double[256];
  private double[] first = new double[256];
  private double[] second = new double[256];
  private double[] penalties = new double[256];
  private double firstCorrection = 1;
  private double secondCorrection = 1;

  /** Reserves numbers, zero at first, whose squares are penalised; returns the first position. */
  public int allocate(int count, double penalty) {
    int offset = size;
    size += count;
    if (size > values.length) {
      grow(Math.max(size, 2 * values.length));
    }
    Arrays.fill(penalties, offset, size, penalty);
    return offset;
  }

  /** Draws {@code count} numbers from {@code offset} on from a normal distribution. */
  public void randomize(
      int offset, int count, double mean, double deviation, RandomGenerator random) {
    for (int i = offset; i < offset + count; i++) {
      values[i] = mean + deviation * random.nextGaussian();
    }
  }

  /** Returns the number at {@code position}. */
  public double value(int position) {
    return values[position];
  }

  /** Returns {@code count} numbers from {@code offset} on, in single precision. */
  public float[] floats(int offset, int count) {
    float[] result = new float[count];
    for (int i = 0; i < count; i++) {
      result[i] = (float) values[offset + i];
    }
    return result;
  }

  /** Adds to the gradient of the number at {@code position}. */
  public void addGradient(int position, double gradient) {
    gradients[position] += gradient;
  }

  /** Changes every number by a step of Adam, the mean over examples, and forgets the gradients. */
  public void step(double rate, int examples) {
    firstCorrection *= FIRST_MOMENT;
    secondCorrection *= SECOND_MOMENT;
    for (int i = 0; i < size; i++) {
      double gradient = gradients[i] / examples + 2 * penalties[i] * values[i];
      gradients[i] = 0;
      first[i] = FIRST_MOMENT * first[i] + (1 - FIRST_MOMENT) * gradient;
      second[i] = SECOND_MOMENT * second[i] + (1 - SECOND_MOMENT) * gradient * gradient;
      double size = Math.sqrt(second[i] / (1 - secondCorrection)) + TINY;
      values[i] -= rate * first[i] / (1 - firstCorrection) / size;
    }
  }

  double[] values() {
    return values;
  }

  double[] gradients() {
    return gradients;
  }

  private void grow(int length) {
    values = Arrays.copyOf(values, length);
    gradients = Arrays.copyOf(gradients, length);
    first = Arrays.copyOf(first, length);
    second = Arrays.copyOf(second, length);
    penalties = Arrays.copyOf(penalties, length);
  }
}
