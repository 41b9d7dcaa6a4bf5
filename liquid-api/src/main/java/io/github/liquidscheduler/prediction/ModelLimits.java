package io.github.liquidscheduler.prediction;

/**
 * The limits on a model file beyond which it is refused: a file from elsewhere must neither fill
 * the memory nor run for long.
 *
 * <pre>{@code
 * CompositePredictor.builder()
 *     .limits(ModelLimits.DEFAULT.withBytes(1 << 20))
 *     .model(Path.of("interference.onnx"))
 * }</pre>
 *
 * @param bytes the largest file, from 1 to 2,147,483,639
 * @param numbers the most numbers that all values of the model hold together at the largest batch;
 *     4 bytes each, at least 1
 * @param multiplications the most multiplications at the largest batch, at least 1
 */
public record ModelLimits(long bytes, long numbers, long multiplications) {

  /** 64 MiB, 2<sup>26</sup> numbers (256 MiB) and 2<sup>32</sup> multiplications (seconds). */
  public static final ModelLimits DEFAULT = new ModelLimits(64L << 20, 1L << 26, 1L << 32);

  /** The largest length of an array. */
  private static final long LARGEST = Integer.MAX_VALUE - 8;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public ModelLimits {
    if (bytes < 1 || bytes > LARGEST) {
      throw new IllegalArgumentException(
          "a model may be limited to 1 to %d bytes, but was to %d".formatted(LARGEST, bytes));
    }
    if (numbers < 1 || multiplications < 1) {
      throw new IllegalArgumentException(
          "a model must be allowed a number and a multiplication, but was %d and %d"
              .formatted(numbers, multiplications));
    }
  }

  /** Returns these limits with another largest file. */
  public ModelLimits withBytes(long other) {
    return new ModelLimits(other, numbers, multiplications);
  }

  /** Returns these limits with another number of numbers. */
  public ModelLimits withNumbers(long other) {
    return new ModelLimits(bytes, other, multiplications);
  }

  /** Returns these limits with another number of multiplications. */
  public ModelLimits withMultiplications(long other) {
    return new ModelLimits(bytes, numbers, other);
  }
}
