package io.github.liquidscheduler.estimator.onnx;

import ai.onnxruntime.OrtEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runtime's environment, of which a process has one.
 *
 * <p>Starting it, ONNX Runtime 1.29 matches the command line of the process with a regular
 * expression, by recursion: a class path of some thousand characters overflows a stack of the usual
 * size, and the whole process dies. So it is started on a stack that is large enough for the
 * longest command line that Linux takes; only the pages that are touched are ever used.
 */
final class OnnxEnvironment {

  private static final Logger LOG = LoggerFactory.getLogger(OnnxEnvironment.class);
  private static final long STACK_BYTES = 1L << 30;

  private OnnxEnvironment() {}

  /** Returns the environment, which is started the first time. */
  static OrtEnvironment get() {
    return Started.ENVIRONMENT;
  }

  private static final class Started {
    static final OrtEnvironment ENVIRONMENT = start();

    private static OrtEnvironment start() {
      Thread starter =
          new Thread(null, OrtEnvironment::getEnvironment, "onnx-runtime-start", STACK_BYTES);
      // Whatever fails there fails again below, where the caller sees it.
      starter.setUncaughtExceptionHandler((thread, failure) -> {});
      starter.start();
      join(starter);
      try {
        return OrtEnvironment.getEnvironment();
      } catch (LinkageError failure) {
        LOG.error("The native library of ONNX Runtime cannot be loaded: no model can be used");
        throw failure;
      }
    }

    private static void join(Thread thread) {
      boolean interrupted = false;
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
