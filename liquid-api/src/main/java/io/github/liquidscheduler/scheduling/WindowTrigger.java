package io.github.liquidscheduler.scheduling;

/** The reason for closing a batch window. */
public enum WindowTrigger {
  /** Its first job had waited for the whole length of the window. */
  TIME("its time was up"),
  /** It held as many jobs as it may. */
  COUNT("it was full"),
  /** The jobs in it asked for more GPUs than the limit of queued work allows. */
  PRESSURE("enough work had queued up");

  private final String sentence;

  WindowTrigger(String sentence) {
    this.sentence = sentence;
  }

  /** Returns the trigger as a clause for people. */
  String describe() {
    return sentence;
  }
}
