package io.github.liquidscheduler.simulator.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/** Traces as texts and bytes. */
final class Texts {

  static final String TIRESIAS =
      """
      job_id,num_gpu,submit_time,iterations,model_name,duration,interval
      a,1,0,606,vgg19,164,30
      b,8,30,133,vgg11,147.5,23
      """;

  static final String GAVEL =
      """
      ResNet-50 (batch size 64)\tpython3 main.py -j 2\timagenet\t-n\t1\t2931\t1\t1\t-1.000000\t0
      LM (batch size 5)\tpython "main.py" %s\twikitext2\t--steps\t1\t10027\t4\t1\t-1.000000\t12.5
      """;

  static final String PHILLY =
      """
      timestamp,duration,num_gpus,gpu_time,cluster

      2017-09-07 03:58:57,60.0,1,60.0,6214e9
      2017-09-04 10:30:41,2240194.0,8,17921552.0,7f04ca
      """;

  private Texts() {}

  static String of(TraceFormat format) {
    return switch (format) {
      case TIRESIAS -> TIRESIAS;
      case GAVEL -> GAVEL;
      case PHILLY -> PHILLY;
    };
  }

  static Trace read(TraceFormat format, String text) {
    return read(format, text.getBytes(UTF_8));
  }

  static Trace read(TraceFormat format, byte[] bytes) {
    return format.reader().read("jobs.csv", new ByteArrayInputStream(bytes));
  }

  static byte[] compressed(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static byte[] without(int last, byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length - last);
  }
}
