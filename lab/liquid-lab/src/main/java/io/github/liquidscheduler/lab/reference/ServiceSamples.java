package io.github.liquidscheduler.lab.reference;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.formats.input.BoundedLines;
import io.github.liquidscheduler.formats.input.Row;
import io.github.liquidscheduler.formats.input.Rows;
import io.github.liquidscheduler.formats.input.SourceFile;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.commons.csv.CSVFormat;

/**
 * How much service (GPU-seconds) each of many past jobs took until it ended: what a Gittins index
 * knows about the future. At least one sample, in ascending order. Immutable.
 */
public final class ServiceSamples {

  /** The largest sample: 31,000 years of one GPU. */
  public static final long LARGEST = 1_000_000_000_000L;

  private static final int MOST_SAMPLES = 1_000_000;
  private static final String COLUMN = "duration";

  private final long[] ascending;

  private ServiceSamples(long[] ascending) {
    this.ascending = ascending;
  }

  /**
   * Returns the given samples, put in ascending order.
   *
   * @throws IllegalArgumentException if there is none, there are more than a million, or one is
   *     less than 1 or above {@link #LARGEST}
   */
  public static ServiceSamples of(long... samples) {
    if (samples.length == 0 || samples.length > MOST_SAMPLES) {
      throw new IllegalArgumentException(
          "the service samples must be 1 to %d, but were %d"
              .formatted(MOST_SAMPLES, samples.length));
    }
    long[] ascending = samples.clone();
    Arrays.sort(ascending);
    long odd = ascending[0] < 1 ? ascending[0] : ascending[ascending.length - 1];
    if (odd < 1 || odd > LARGEST) {
      throw new IllegalArgumentException(
          "a service sample must be from 1 to %d, but was %d".formatted(LARGEST, odd));
    }
    return new ServiceSamples(ascending);
  }

  /**
   * Reads samples from a CSV file with the column {@code duration}, the format of Tiresias.
   *
   * @throws InputFormatException if there is no such file, it cannot be read or a line is wrong
   */
  public static ServiceSamples read(Path file) {
    return SourceFile.read(file, ServiceSamples::read);
  }

  /**
   * Reads samples as {@link #read(Path)} does, from bytes that the caller closes.
   *
   * @param source what messages call the bytes, such as a file name
   * @throws InputFormatException if a line is wrong
   */
  public static ServiceSamples read(String source, InputStream bytes) {
    BoundedLines lines = new BoundedLines(source, bytes);
    Rows rows = Rows.withHeader(lines, CSVFormat.DEFAULT, List.of(COLUMN));
    LongStream.Builder samples = LongStream.builder();
    int count = 0;
    for (Row row = rows.next(); row != null; row = rows.next()) {
      if (++count > MOST_SAMPLES) {
        throw lines.error("a file must have at most " + MOST_SAMPLES + " samples, but had more");
      }
      samples.add(row.whole(COLUMN, 1, LARGEST));
    }
    if (count == 0) {
      throw new InputFormatException(source + ": a file must have a sample, but had none");
    }
    return of(samples.build().toArray());
  }

  /** Returns the samples in ascending order; the caller may keep and change the array. */
  public long[] ascending() {
    return ascending.clone();
  }
}
