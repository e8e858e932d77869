import GraftTools

Program<Command>(overview: Help.overview).start()
